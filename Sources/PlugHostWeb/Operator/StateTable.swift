internal import PlugCore
internal import PlugStorage

/// The number of connections in each state, each with a link to them.
struct StateTable {
    private let counts: [ConnectionSetup.Status?: Int]
    private let plug: String?

    /// - Parameter plug: The plug of the connections; `nil` for all.
    init(_ counts: [ConnectionCount], of plug: String? = nil) {
        self.counts = Dictionary(counts.map { ($0.status, $0.connections) }) { $0 + $1 }
        self.plug = plug
    }

    /// The number of connections.
    var total: Int { counts.values.reduce(0, +) }

    var html: HTML {
        if total == 0 { return "<p>No connections yet.</p>" }
        let states = ConnectionSetup.Status.allCases.map { status -> HTML in
            let word = status.word(for: .operator)
            return Self.row(word.text, word.style, counts[status] ?? 0, OperatorPath.list(plug: plug, status: status))
        }
        let others: HTML? = counts[nil].map { Self.row("Not copied automatically", "quiet", $0, nil) }
        return """
            <ul class="counts">
            \(Self.row("All", "", total, OperatorPath.list(plug: plug)))\(states.joined())\(others)
            </ul>
            """
    }

    private static func row(_ name: String, _ style: String, _ count: Int, _ path: String?) -> HTML {
        let number: HTML = "<b class=\"\(count > 0 ? style : "quiet")\">\(Words.number(count))</b> \(name)"
        guard let path, count > 0 else { return "<li>\(number)</li>" }
        return "<li><a href=\"\(path)\">\(number)</a></li>"
    }
}
