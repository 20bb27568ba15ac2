internal import Connecting
internal import PlugCore
internal import PlugManifest
internal import PlugRuntime
internal import PlugStorage
internal import Syncing

/// A person's connections, and what they and operators can do with each.
struct ConnectionRoutes: Sendable {
    private let store: any PlugStore
    private let plugs: HostPlugs
    private let connections: HostConnections
    private let disconnecting: Disconnecting
    private let clock: any HostClock

    init(_ host: HostServer.Means) {
        (store, plugs, clock) = (host.store, host.plugs, host.clock)
        connections = host.connections
        disconnecting = Disconnecting(host.store, host.plugs, host.throttling, clock: host.clock)
    }

    /// The connection's owner, and operators of the host.
    private static let access: RouteAccess = [.person, .operator]

    var all: [HostRoute] {
        let wishes = HostConnections.Wish.allCases.map { wish in
            HostRoute(
                .post,
                PathPattern(stringLiteral: "/connections/{connection}/\(wish.rawValue)"),
                Self.access,
                body: .form
            ) {
                request in
                let connection = try request.namedConnection()
                try await connections.wish(wish, for: connection, by: request.visitor.auditName)
                return .redirect(to: "\(ConnectionPath(connection.id))")
            }
        }
        return wishes + [
            HostRoute(.get, "/connections", Self.access) { try await list($0) },
            HostRoute(.get, "/connections/{connection}", Self.access) { try await show($0, nil) },
            HostRoute(.post, "/connections/{connection}/streams", Self.access, body: .form) { try await choose($0) },
            HostRoute(.get, "/connections/{connection}/disconnect", Self.access) { try askToDisconnect($0) },
            HostRoute(.post, "/connections/{connection}/disconnect", Self.access, body: .form) {
                try await disconnect($0)
            },
            HostRoute(.get, "/connections/{connection}/erase", Self.access) { try askToErase($0) },
            HostRoute(.post, "/connections/{connection}/erase", Self.access, body: .form) { try await erase($0) },
        ]
    }

    // MARK: Looking

    private func list(_ request: HostRequest) async throws -> HostAnswer {
        guard case .person(let pda) = request.visitor else { return .redirect(to: "/operator") }
        var cards: [ConnectionCard] = []
        for connection in try await store.connections(at: pda) {
            cards.append(try await ConnectionCard(connection, in: store, plugs))
        }
        let waiting = cards.count { $0.needsPerson }
        let notice: HTML? =
            waiting == 0
            ? nil
            : """
            <section class="sheet" aria-label="What to do"><p><b>\(waiting.counted("connection")) \(waiting == 1 ? "needs" : "need") \
            you.</b></p><p>Open \(waiting == 1 ? "it" : "them") to see what to do. Nothing is lost meanwhile.</p></section>
            """
        let content: HTML =
            cards.isEmpty
            ? "<p>Nothing is connected yet.</p>" : "\(notice)<ul class=\"cards\">\(cards.map(\.html).joined())</ul>"
        return request.page(
            Page(
                "My connections",
                """
                \(content)
                <p class="row"><a class="button" href="/plugs">Connect a plug</a></p>
                """
            )
        )
    }

    private func show(_ request: HostRequest, _ problem: String?) async throws -> HostAnswer {
        let connection = try request.namedConnection()
        let page = try await ConnectionPage(connection, for: request.visitor, in: store, plugs, clock: clock)
        return request.page(try await page.page(for: request, problem: problem))
    }

    // MARK: Changing

    private func choose(_ request: HostRequest) async throws -> HostAnswer {
        let connection = try request.namedConnection()
        let manifest = try plugs.current.manifest(of: connection.plug, for: connection.id)
        let choice = try await StreamChoice(connection, manifest, in: store)
        var change = HostConnections.Change()
        do throws(PlugError) {
            change.streams = .some(try choice.streams(of: request.form))
        } catch { return try await show(request, error.message.sentence) }
        try await connections.change(connection, change, by: request.visitor.auditName)
        return .redirect(to: "\(ConnectionPath(connection.id))")
    }

    private func askToDisconnect(_ request: HostRequest) throws -> HostAnswer {
        let connection = try request.namedConnection()
        return confirmation(
            request,
            "Disconnect \(name(connection))?",
            """
            <p>Nothing more is read, and the service is asked to revoke the consent. What was copied stays in your PDA. The
            connection can be connected again: it then continues where it stopped.</p>
            """,
            to: "\(ConnectionPath(connection.id))/disconnect",
            button: "Disconnect"
        )
    }

    private func disconnect(_ request: HostRequest) async throws -> HostAnswer {
        let connection = try request.namedConnection()
        let consent = try await disconnecting.disconnect(connection.id, by: request.visitor.auditName)
        return request.page(
            Page(
                "\(name(connection)) is disconnected",
                """
                <p>\(consent.sentence)</p>
                <p class="row"><a class="button" href="\(ConnectionPath(connection.id))">Back to the connection</a></p>
                """
            )
        )
    }

    private func askToErase(_ request: HostRequest) throws -> HostAnswer {
        let connection = try request.namedConnection()
        return confirmation(
            request,
            "Erase \(name(connection))?",
            """
            <p>Everything that this host keeps about the connection <b>\(connection.id.name)</b> is destroyed: its keys and
            log-ins, where it stopped reading, its runs, and records that your PDA has not accepted. The service is asked to
            revoke the consent.</p>
            <p>What is in your PDA stays there. This cannot be undone.</p>
            """,
            to: "\(ConnectionPath(connection.id))/erase",
            button: "Erase for good"
        )
    }

    private func erase(_ request: HostRequest) async throws -> HostAnswer {
        let connection = try request.namedConnection()
        do {
            let (receipt, consent) = try await disconnecting.erase(connection.id, by: request.visitor.auditName)
            guard let receipt else { throw StoreErrors.connectionUnknown(connection.id) }
            return request.page(Page("\(name(connection)) is erased", ErasureText(receipt, consent).html))
        } catch let error as PlugError where error.code.text == "state-locked" {
            return confirmation(
                request,
                "Not erased yet",
                """
                <p>The connection is running right now. It is now paused, so that no other run follows. Wait until this run has
                ended, usually a few seconds, and then erase it.</p>
                """,
                status: 409,
                to: "\(ConnectionPath(connection.id))/erase",
                button: "Erase for good"
            )
        }
    }

    /// A confirmation page, with a link back.
    private func confirmation(
        _ request: HostRequest,
        _ title: String,
        _ text: HTML,
        status: Int = 200,
        to path: String,
        button: String
    ) -> HostAnswer {
        let back = path.split(separator: "/").dropLast().reduce("") { "\($0)/\($1)" }
        var page = Page(
            title,
            status: status,
            """
            \(text)
            \(Page.form(to: path, for: request, "<button class=\"danger\">\(button)</button>"))
            <p><a href="\(back)">Leave it as it is</a></p>
            """
        )
        page.hasForm = true
        return request.page(page)
    }

    private func name(_ connection: Connection) -> String {
        plugs.current.manifests[connection.plug].map { PlugFacts($0).name } ?? connection.plug
    }
}
