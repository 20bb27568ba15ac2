internal import Connecting
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import PlugStorage
internal import Syncing

/// The API for programs, `/api/v1`.
struct APIRoutes: Sendable {
    let store: any PlugStore
    let plugs: HostPlugs
    let connections: HostConnections
    let disconnecting: Disconnecting

    /// The maximum number of items on a page of a list.
    static let pageLimit = 200

    init(_ means: HostServer.Means) {
        (store, plugs) = (means.store, means.plugs)
        connections = means.connections
        disconnecting = Disconnecting(store, plugs, means.throttling, clock: means.clock)
    }

    /// The routes of the operations and of their description.
    var all: [HostRoute] {
        let routes = plugRoutes + connectionRoutes + changeRoutes + historyRoutes
        let plugs = plugs
        let description = HostRoute(.get, "/api/v1/openapi.json", .anybody) { _ in
            // Plugs come and go while a host runs.
            let current = plugs.current
            let open = try current.manifests.values.filter { try current.lack(of: $0) == nil }
            let schemas = APISchemas.value(for: open.sorted { $0.id < $1.id })
            return .json(OpenAPIDescription(routes, schemas: schemas).value)
        }
        return routes + [description]
    }

    static func limit(_ request: HostRequest) throws -> Int {
        guard let text = request.queried("limit") else { return 50 }
        guard let limit = Int(text), (1...pageLimit).contains(limit) else {
            throw HostRefusal(400, PlugError(.bodyUnreadable, "'limit' is a number from 1 to \(pageLimit)"))
        }
        return limit
    }
}

extension APIOperation.Parameter {
    static func limit(_ most: Int) -> Self {
        Self(
            name: "limit",
            summary: "How many at most; 50 by default.",
            schema: .members(("type", .text("integer")), ("minimum", .integer(1)), ("maximum", .integer(most)))
        )
    }

    static let plug = Self(
        name: "plug",
        summary: "Only those of this plug.",
        schema: .members(("type", .text("string")))
    )
    static let status = Self(
        name: "status",
        summary: "Only those in this state: that of the set-up, or 'failing' or 'waiting' ('health').",
        schema: .members(("enum", .array(ConnectionSearch.states.map { .text($0) })))
    )
    static let code = Self(
        name: "code",
        summary: "Only those whose runs fail with this code.",
        schema: .members(("type", .text("string")))
    )
    static let after = Self(
        name: "after",
        summary: "Begins after this name: 'next' of the previous page.",
        schema: .members(("type", .text("string")))
    )
}
