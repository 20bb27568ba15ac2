internal import PlugCore
internal import PlugStorage
internal import Syncing

/// An operator's search for connections, fifty on a page, however many there are.
struct ConnectionList {
    private let search: ConnectionSearch
    private let cards: [HTML]
    private let next: ConnectionSearch.Place?
    private let plugs: [(value: String, text: String)]

    /// The number on a page.
    private static let size = 50

    init(_ request: HostRequest, in store: any PlugStore, _ plugs: HostPlugs) async throws {
        var search = ConnectionSearch(limit: Self.size)
        search.text = String((request.queried("q") ?? "").prefix(200)).trimmed
        search.plug = request.queried("plug").flatMap { $0.isEmpty ? nil : $0 }
        search.code = request.queried("code").flatMap { $0.isEmpty ? nil : String($0.prefix(100)) }
        _ = search.narrow(to: request.queried("state") ?? "")
        if let name = request.queried("after") {
            search.after = ConnectionSearch.Place(name: name, pda: request.queried("pda"))
        }
        let found = try await store.connections(search)
        var cards: [HTML] = []
        for connection in found.connections {
            cards.append(try await ConnectionCard(connection, in: store, plugs, for: .operator).html)
        }
        var names = Set(plugs.current.manifests.keys).union(try await store.connectionCounts().map(\.plug))
        if let plug = search.plug { names.insert(plug) }
        self.plugs = [("", "Any")] + names.sorted().map { ($0, $0) }
        (self.search, self.cards, next) = (search, cards, found.next)
    }

    var page: Page {
        let none = search.code.map { "No connection fails with \($0) now." } ?? "No connection matches."
        let nothing = next == nil ? none : "None of those searched so far."
        let list: HTML = cards.isEmpty ? "<p>\(nothing)</p>" : "<ul class=\"cards\">\(cards.joined())</ul>"
        return Page("Connections", "\(form)\(list)\(next.map(more))")
    }

    /// The query, as an address that can be bookmarked.
    private var form: HTML {
        let states: [(value: String, text: String)] =
            [("", "Any")] + ConnectionHealth.allCases.map { ($0.rawValue, $0.word.text) }
            + ConnectionSetup.Status.allCases.map { ($0.rawValue, $0.word(for: .operator).text) }
        return """
            <form method="get" action="\(OperatorPath.connections)" role="search">
            \(FormField.text("q", "Beginning of a name, or of a PDA's address", value: search.text, isRequired: false))
            \(FormField.choice("plug", "Plug", plugs, chosen: search.plug ?? ""))
            \(FormField.choice("state", "State", states, chosen: search.state ?? ""))
            \(FormField.text("code", "Code of the error", value: search.code ?? "", isRequired: false))
            <button>Search</button>
            </form>
            """
    }

    private func more(_ place: ConnectionSearch.Place) -> HTML {
        var fields: [(name: String, value: String)] = [
            ("q", search.text), ("plug", search.plug ?? ""), ("state", search.state ?? ""),
            ("code", search.code ?? ""), ("after", place.name),
        ]
        if let pda = place.pda { fields.append(("pda", pda)) }
        let path = "\(OperatorPath.connections)?\(FormText.encode(fields))"
        return "<p class=\"row\"><a class=\"button plain\" href=\"\(path)\">More</a></p>"
    }
}

extension String {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
