internal import PlugCore
internal import PlugStorage

/// The errors that ended runs, the most frequent first.
enum ErrorTable {
    static func html(_ errors: [ErrorCount]) -> HTML {
        if errors.isEmpty { return "<p>No run has ended with an error in this time.</p>" }
        let rows = errors.map { error -> HTML in
            """
            <tr><th scope="row"><code>\(error.code)</code></th><td>\(Words.number(error.runs))</td></tr>
            """
        }
        return """
            \(DataTable.html("Errors", columns: ["Error", "Runs that it ended"], rows))
            <p class="quiet"><code>plughost explain CODE</code> says what an error means.</p>
            """
    }
}
