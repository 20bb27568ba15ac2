internal import PlugCore
internal import PlugStorage
internal import Syncing

/// What operators see: every connection of the host, by state and by what they look for.
struct OperatorPages: Sendable {
    private let store: any PlugStore
    private let plugs: HostPlugs
    /// How many connections a page has.
    private static let size = 50

    init(_ store: any PlugStore, _ plugs: HostPlugs) { (self.store, self.plugs) = (store, plugs) }

    var all: [HostRoute] {
        [
            HostRoute(.get, "/operator", [.operator]) { try await list($0) },
            HostRoute(.get, "/operator/changes", [.operator]) { try await changes($0) },
        ]
    }

    /// Who has given whom a way in.
    private func changes(_ request: HostRequest) async throws -> HostAnswer {
        let changes = try await store.hostAudit()
        let table: HTML = changes.isEmpty ? "<p>Nothing yet.</p>" : ChangeTable.html(changes, for: .operator)
        return request.page(
            Page(
                "Keys and log-ins",
                """
                <p class="quiet">Keys of the API and links for operators, newest first. Changes of a connection stand on its
                own page.</p>
                \(table)
                <p class="row"><a class="button plain" href="/operator">All connections</a></p>
                """
            )
        )
    }

    private func list(_ request: HostRequest) async throws -> HostAnswer {
        var search = ConnectionSearch(limit: Self.size + 1)
        search.text = String((request.queried("q") ?? "").prefix(200))
        search.status = request.queried("state").flatMap(ConnectionSetup.Status.init)
        search.after = request.queried("after") ?? ""
        let found = try await store.connections(search)
        var cards: [HTML] = []
        for connection in found.prefix(Self.size) {
            cards.append(try await ConnectionCard(connection, in: store, plugs).html)
        }
        let next: HTML? = found.count > Self.size ? Self.next(search, found[Self.size - 1].id) : nil
        let list: HTML =
            cards.isEmpty ? "<p>No connection fits.</p>" : "<ul class=\"cards\">\(cards.joined())</ul>"
        return request.page(
            Page(
                "Connections",
                """
                <p class="quiet">You are logged in as \(request.visitor.auditName).
                <a href="/operator/changes">Keys and log-ins</a></p>
                \(Self.form(search))
                \(list)
                \(next)
                """
            )
        )
    }

    /// The question, as an address that can be kept.
    private static func form(_ search: ConnectionSearch) -> HTML {
        let states: [(value: String, text: String)] =
            [("", "Any")] + ConnectionSetup.Status.allCases.map { ($0.rawValue, $0.word.text) }
        return """
            <form method="get" action="/operator" role="search">
            \(FormField.text("q", "Name, PDA or plug", value: search.text, isRequired: false))
            \(FormField.choice("state", "State", states, chosen: search.status?.rawValue ?? ""))
            <button>Search</button>
            </form>
            """
    }

    private static func next(_ search: ConnectionSearch, _ last: ConnectionID) -> HTML {
        let query = FormText.encode([
            (name: "q", value: search.text), (name: "state", value: search.status?.rawValue ?? ""),
            (name: "after", value: last.name),
        ])
        return "<p class=\"row\"><a class=\"button plain\" href=\"/operator?\(query)\">More</a></p>"
    }
}
