internal import PlugCore

/// A table that scrolls on its own on narrow screens, also with the keyboard.
enum DataTable {
    /// - Parameters:
    ///   - name: Its content, for screen readers.
    ///   - head: The cells of its first row.
    static func html(_ name: String, head: HTML, _ rows: [HTML]) -> HTML {
        """
        <div class="scroll" tabindex="0" role="region" aria-label="\(name)"><table>
        <thead><tr>\(head)</tr></thead>
        <tbody>\(rows.joined())</tbody></table></div>
        """
    }

    /// The same, with the column names.
    static func html(_ name: String, columns: [String], _ rows: [HTML]) -> HTML {
        html(name, head: columns.map { column -> HTML in "<th scope=\"col\">\(column)</th>" }.joined(), rows)
    }
}
