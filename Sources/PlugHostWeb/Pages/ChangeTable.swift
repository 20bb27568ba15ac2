internal import PlugCore
internal import PlugStorage

/// Who changed what and when, as a table for people.
enum ChangeTable {
    static func html(_ changes: some Collection<AuditEntry>) -> HTML {
        let rows = changes.map { change -> HTML in
            "<tr><td>\(Words.time(change.at))</td><td>\(change.who)</td><td>\(change.what)</td></tr>"
        }
        return """
            <div class="scroll" tabindex="0" role="region" aria-label="Changes"><table>
            <thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th></tr></thead>
            <tbody>\(rows.joined())</tbody></table></div>
            """
    }
}
