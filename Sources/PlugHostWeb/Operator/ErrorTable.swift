internal import PlugCore
internal import PlugStorage

/// The errors that ended runs, the most frequent first, each with a link to the connections that fail with it now.
enum ErrorTable {
    /// - Parameters:
    ///   - troubles: What connections fail with now.
    ///   - plug: The plug of all these; `nil` for all plugs.
    static func html(_ errors: [ErrorCount], _ troubles: [TroubleCount], of plug: String? = nil) -> HTML {
        let now = Dictionary(troubles.map { ($0.code, $0.connections) }) { $0 + $1 }
        if errors.isEmpty { return "<p>No run has ended with an error in this time.</p>" }
        let rows = errors.map { error -> HTML in
            let count = now[error.code] ?? 0
            let path = OperatorPath.list(plug: plug, code: error.code)
            return """
                <tr><th scope="row"><a href="\(path)"><code>\(error.code)</code></a></th>\
                <td>\(Words.number(error.runs))</td><td>\(Words.number(count))</td></tr>
                """
        }
        return """
            \(DataTable.html("Errors", columns: ["Error", "Runs that it ended", "Connections that fail with it now"], rows))
            <p class="quiet"><code>plughost explain CODE</code> says what an error means.</p>
            """
    }
}
