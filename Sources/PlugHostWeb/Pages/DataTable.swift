internal import PlugCore

/// A table that scrolls by itself where the screen is narrow, also with the keyboard.
enum DataTable {
    /// - Parameters:
    ///   - name: What is in it, for those who do not see it.
    ///   - head: The cells of its first row.
    static func html(_ name: String, head: HTML, _ rows: [HTML]) -> HTML {
        """
        <div class="scroll" tabindex="0" role="region" aria-label="\(name)"><table>
        <thead><tr>\(head)</tr></thead>
        <tbody>\(rows.joined())</tbody></table></div>
        """
    }

    /// The same, with the names of the columns.
    static func html(_ name: String, columns: [String], _ rows: [HTML]) -> HTML {
        html(name, head: columns.map { column -> HTML in "<th scope=\"col\">\(column)</th>" }.joined(), rows)
    }
}
