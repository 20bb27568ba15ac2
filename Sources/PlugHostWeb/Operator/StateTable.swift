internal import PlugCore
internal import PlugStorage

/// The number of connections in each state, each with a link to them.
struct StateTable {
    private let counts: [ConnectionSetup.Status?: Int]
    private let troubles: [ConnectionHealth: Int]
    private let plug: String?

    /// - Parameters:
    ///   - troubles: What is wrong with some of them.
    ///   - plug: The plug of the connections; `nil` for all.
    init(_ counts: [ConnectionCount], _ troubles: [TroubleCount], of plug: String? = nil) {
        self.troubles = Dictionary(troubles.map { ($0.health, $0.connections) }) { $0 + $1 }
        self.counts = Dictionary(counts.map { ($0.status, $0.connections) }) { $0 + $1 }
        self.plug = plug
    }

    /// The number of connections.
    var total: Int { counts.values.reduce(0, +) }

    var html: HTML {
        if total == 0 { return "<p>No connections yet.</p>" }
        let states = ConnectionSetup.Status.allCases.map { status -> HTML in
            let word = status.word(for: .operator)
            let path = OperatorPath.list(plug: plug, state: status.rawValue)
            return Self.row(word.text, word.style, counts[status] ?? 0, path)
        }
        let ill = ConnectionHealth.allCases.map { health -> HTML in
            let path = OperatorPath.list(plug: plug, state: health.rawValue)
            return Self.row(health.word.text, health.word.style, troubles[health] ?? 0, path)
        }
        let others: HTML? = counts[nil].map { Self.row("Not copied automatically", "quiet", $0, nil) }
        return """
            <ul class="counts">
            \(Self.row("All", "", total, OperatorPath.list(plug: plug)))\(ill.joined())\(states.joined())\(others)
            </ul>
            """
    }

    private static func row(_ name: String, _ style: String, _ count: Int, _ path: String?) -> HTML {
        let number: HTML = "<b class=\"\(count > 0 ? style : "quiet")\">\(Words.number(count))</b> \(name)"
        guard let path, count > 0 else { return "<li>\(number)</li>" }
        return "<li><a href=\"\(path)\">\(number)</a></li>"
    }
}
