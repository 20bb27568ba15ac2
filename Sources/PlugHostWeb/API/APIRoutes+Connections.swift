internal import Connecting
internal import LosslessJSON
internal import PlugCore
internal import PlugRuntime
internal import PlugStorage
internal import Syncing

// Connections: routes, request and response bodies.

extension APIRoutes {
    var connectionRoutes: [HostRoute] {
        let (store, connections, disconnecting) = (store, connections, disconnecting)
        return [
            HostRoute(
                .get,
                "/api/v1/connections",
                [.key(.connectionsRead)],
                operation: APIOperation(
                    "listConnections",
                    "Lists connections by name.",
                    query: [.limit(Self.pageLimit), .after, .plug, .status, .code],
                    answers: [.init(status: 200, summary: "A page of the list.", schema: "ConnectionList")],
                    errors: [400]
                )
            ) { request in
                let limit = try Self.limit(request)
                var search = ConnectionSearch(limit: limit)
                search.after = request.queried("after").map { ConnectionSearch.Place(name: $0) }
                (search.plug, search.code) = (request.queried("plug"), request.queried("code"))
                if let status = request.queried("status"), !search.narrow(to: status) {
                    let known = ConnectionSearch.states.joined(separator: ", ")
                    throw HostRefusal(400, PlugError(.bodyUnreadable, "'status' is one of: \(known)"))
                }
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
    var changeRoutes: [HostRoute] {
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

    /// The connection as `plughost connection show --json` prints it, with its choices.
    static func value(_ connection: Connection, _ store: any PlugStore) async throws -> JSONValue {
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
                    ("answered", .array(plan.config.members.map { .text($0.key.text) })),
                    ("accept_foreign_token", .bool(plan.acceptsForeignToken))
                )
            } ?? .null
        return .object(object)
    }
}

extension ConnectionDraft {
    init(_ object: JSONObject) throws {
        var body = BodyReader(object)
        self.init(
            name: try body.required("connection"),
            plug: try body.required("plug"),
            pda: try body.required("pda"),
            config: try body.object("config")
        )
        token = try body.text("token").map { Secret($0) }
        streams = try body.texts("streams")
        from = try body.text("from")
        schedule = ScheduleChoice(
            every: try body.text("every"),
            cron: try body.text("cron"),
            zone: try body.text("zone")
        )
        isPaused = try body.flag("paused")
        acceptsForeignToken = try body.flag("accept_foreign_token")
        try body.finish()
    }
}

extension HostConnections.Change {
    init(_ object: JSONObject) throws {
        self.init()
        var body = BodyReader(object)
        if body.has("streams") { streams = .some(try body.texts("streams")) }
        if body.has("from") { from = .some(try body.text("from")) }
        let isScheduled = [body.has("every"), body.has("cron"), body.has("zone")].contains(true)
        let choice = ScheduleChoice(
            every: try body.text("every"),
            cron: try body.text("cron"),
            zone: try body.text("zone")
        )
        if isScheduled { schedule = choice }
        try body.finish()
    }
}
