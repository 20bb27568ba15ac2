internal import Connecting
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import PlugRuntime
internal import PlugStorage
internal import Syncing

/// The API for programs, `/api/v1`.
struct APIRoutes: Sendable {
    private let store: any PlugStore
    private let plugs: HostPlugs
    private let connections: HostConnections
    private let disconnecting: Disconnecting

    /// The maximum number of items on a page of a list.
    private static let pageLimit = 200

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
            let served = plugs.current.manifests.values.sorted { $0.id < $1.id }
            return .json(OpenAPIDescription(routes, schemas: APISchemas.value(for: served)).value)
        }
        return routes + [description]
    }

    // MARK: Plugs

    private var plugRoutes: [HostRoute] {
        let plugs = plugs
        return [
            HostRoute(
                .get,
                "/api/v1/plugs",
                [.key(.plugsRead)],
                operation: APIOperation(
                    "listPlugs",
                    "Lists the plugs that the host serves.",
                    answers: [.init(status: 200, summary: "The plugs.", schema: "PlugList")]
                )
            ) { _ in
                let list = plugs.current.manifests.values.sorted { $0.id < $1.id }
                return .json(.members(("plugs", .array(list.map(\.apiValue)))))
            },
            HostRoute(
                .get,
                "/api/v1/plugs/{plug}",
                [.key(.plugsRead)],
                operation: APIOperation(
                    "showPlug",
                    "Shows what a plug asks for, and which streams it has.",
                    answers: [.init(status: 200, summary: "The plug.", schema: "Plug")],
                    errors: [404]
                )
            ) { request in
                guard let manifest = plugs.current.manifests[request.parameter("plug")] else {
                    throw HostRefusal.routeUnknown
                }
                return .json(manifest.apiValue)
            },
        ]
    }

    // MARK: Connections

    private var connectionRoutes: [HostRoute] {
        let (store, connections, disconnecting) = (store, connections, disconnecting)
        return [
            HostRoute(
                .get,
                "/api/v1/connections",
                [.key(.connectionsRead)],
                operation: APIOperation(
                    "listConnections",
                    "Lists connections by name.",
                    query: [.limit(Self.pageLimit), .after],
                    answers: [.init(status: 200, summary: "A page of the list.", schema: "ConnectionList")],
                    errors: [400]
                )
            ) { request in
                let limit = try Self.limit(request)
                var search = ConnectionSearch(limit: limit)
                search.after = request.queried("after").map { ConnectionSearch.Place(name: $0) }
                let found = try await store.connections(search)
                var list: [JSONValue] = []
                for connection in found.connections { list.append(try await Self.value(connection, store)) }
                let next = found.next.map { JSONValue.text($0.name) } ?? .null
                return .json(.members(("connections", .array(list)), ("next", next)))
            },
            HostRoute(
                .post,
                "/api/v1/connections",
                [.key(.connectionsWrite)],
                body: .json,
                operation: APIOperation(
                    "createConnection",
                    "Makes a connection. Without the PDA's token, or if the source needs a consent, it waits for that.",
                    body: "NewConnection",
                    answers: [.init(status: 201, summary: "The connection.", schema: "Connection")],
                    errors: [400, 409, 422]
                )
            ) { request in
                let draft = try ConnectionDraft(request.object())
                let connection = try await connections.create(draft, by: request.visitor.auditName)
                return .json(try await Self.value(connection, store), status: 201)
            },
            HostRoute(
                .get,
                "/api/v1/connections/{connection}",
                [.key(.connectionsRead)],
                operation: APIOperation(
                    "showConnection",
                    "Shows the state of a connection.",
                    answers: [.init(status: 200, summary: "The connection.", schema: "Connection")],
                    errors: [404]
                )
            ) { .json(try await Self.value($0.namedConnection(), store)) },
            HostRoute(
                .patch,
                "/api/v1/connections/{connection}",
                [.key(.connectionsWrite)],
                body: .json,
                operation: APIOperation(
                    "changeConnection",
                    "Changes when a connection runs, and which streams. What is left out stays as it is.",
                    body: "ConnectionChange",
                    answers: [.init(status: 200, summary: "The connection.", schema: "Connection")],
                    errors: [400, 404, 409, 422]
                )
            ) { request in
                let connection = try request.namedConnection()
                let change = try HostConnections.Change(request.object())
                try await connections.change(connection, change, by: request.visitor.auditName)
                return .json(try await Self.value(connection, store))
            },
            HostRoute(
                .delete,
                "/api/v1/connections/{connection}",
                [.key(.connectionsErase)],
                operation: APIOperation(
                    "eraseConnection",
                    "Erases a connection and everything kept for it, after the service was asked to revoke its consent. One that "
                        + "is running is paused, and can be erased when its run has ended.",
                    answers: [.init(status: 200, summary: "What was erased.", schema: "Receipt")],
                    errors: [404, 409]
                )
            ) { request in
                let id = try request.namedConnection().id
                let (receipt, consent) = try await disconnecting.erase(id, by: request.visitor.auditName)
                guard let receipt else { throw StoreErrors.connectionUnknown(id) }
                return .json(receipt.json(consent))
            },
        ]
    }

    /// Pause, resume, run.
    private var changeRoutes: [HostRoute] {
        let (store, connections) = (store, connections)
        let rows: [(HostConnections.Wish, PathPattern, String)] = [
            (.pause, "/api/v1/connections/{connection}/pause", "Stops the host from running a connection."),
            (.resume, "/api/v1/connections/{connection}/resume", "Lets the host run a connection again, at once."),
            (.run, "/api/v1/connections/{connection}/run", "Makes a connection due now. A paused one is resumed."),
        ]
        return rows.map { wish, path, summary in
            HostRoute(
                .post,
                path,
                [.key(.connectionsWrite)],
                operation: APIOperation(
                    "\(wish.rawValue)Connection",
                    summary,
                    answers: [.init(status: 200, summary: "The connection.", schema: "Connection")],
                    errors: [404, 409]
                )
            ) { request in
                let connection = try request.namedConnection()
                try await connections.wish(wish, for: connection, by: request.visitor.auditName)
                return .json(try await Self.value(connection, store))
            }
        }
    }

    // MARK: History

    private var historyRoutes: [HostRoute] {
        let store = store
        return [
            HostRoute(
                .get,
                "/api/v1/connections/{connection}/runs",
                [.key(.connectionsRead)],
                operation: APIOperation(
                    "listRuns",
                    "Lists the runs of a connection, newest first.",
                    query: [.limit(Self.pageLimit)],
                    answers: [.init(status: 200, summary: "The newest runs.", schema: "RunList")],
                    errors: [400, 404]
                )
            ) { request in
                let runs = try await store.runs(of: request.namedConnection().id, limit: Self.limit(request))
                return .json(.members(("runs", .array(runs.map(\.summary)))))
            },
            HostRoute(
                .get,
                "/api/v1/connections/{connection}/dead-letters",
                [.key(.connectionsRead)],
                operation: APIOperation(
                    "countDeadLetters",
                    "Counts the records of a connection that could not be delivered. Their content is not shown here.",
                    answers: [.init(status: 200, summary: "The counts.", schema: "DeadLetters")],
                    errors: [404]
                )
            ) { request in
                let size = try await store.deadLetterSize(of: request.namedConnection().id)
                return .json(.members(("letters", .integer(size.letters)), ("bytes", .integer(size.bytes))))
            },
            HostRoute(
                .get,
                "/api/v1/connections/{connection}/audit",
                [.key(.connectionsRead)],
                operation: APIOperation(
                    "listChanges",
                    "Lists who has changed a connection and when, newest first; the last 200 changes are kept.",
                    answers: [.init(status: 200, summary: "The changes.", schema: "ChangeList")],
                    errors: [404]
                )
            ) { request in
                .json(try await store.audit(of: request.namedConnection().id).apiValue)
            },
            HostRoute(
                .get,
                "/api/v1/audit",
                [.key(.connectionsRead)],
                operation: APIOperation(
                    "listHostChanges",
                    "Lists who has made, used and removed API keys and links for operators, newest first; the last 500 are kept.",
                    answers: [.init(status: 200, summary: "The changes.", schema: "ChangeList")]
                )
            ) { _ in .json(try await store.hostAudit().apiValue) },
        ]
    }

    // MARK: Shared

    private static func limit(_ request: HostRequest) throws -> Int {
        guard let text = request.queried("limit") else { return 50 }
        guard let limit = Int(text), (1...pageLimit).contains(limit) else {
            throw HostRefusal(400, PlugError(.bodyUnreadable, "'limit' is a number from 1 to \(pageLimit)"))
        }
        return limit
    }

    /// The connection as `plughost connection show --json` prints it, with its choices.
    private static func value(_ connection: Connection, _ store: any PlugStore) async throws -> JSONValue {
        let summary = try await ConnectionSummary(of: connection, in: store)
        var object = summary.json.object ?? JSONObject()
        // A plan that cannot be read must not hide anything else.
        let plan = summary.setup.flatMap { try? ConnectionPlan(content: $0.content, of: connection.id) }
        func text(_ value: String?) -> JSONValue { value.map { .text($0) } ?? .null }
        object["setup"] =
            plan.map { plan in
                .members(
                    ("every", text(plan.every)),
                    ("cron", text(plan.cron)),
                    ("zone", text(plan.zone)),
                    ("from", text(plan.from)),
                    ("streams", plan.streams.map { .array($0.map { .text($0) }) } ?? .null),
                    // Values may be secrets.
                    ("answered", .array(plan.config.members.map { .text($0.key.text) }))
                )
            } ?? .null
        return .object(object)
    }
}
