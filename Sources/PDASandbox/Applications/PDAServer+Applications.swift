internal import LosslessJSON
internal import PDAWire
internal import PlugCore

extension PDAServer {
    /// An application that can be resolved now, with its state. A directory that cannot be reached has none.
    func application(_ id: String) async throws -> KnownApplication? {
        guard let definition = try? await directory.definition(of: id) else { return nil }
        return SandboxStore.known(definition, try await store.applicationRow(id))
    }

    /// Every application that can be resolved now.
    func applications() async throws -> [KnownApplication] {
        let rows = try await store.applicationRows()
        return try await directory.definitions().map { definition in
            SandboxStore.known(definition, definition["id"]?.stringText.flatMap { rows[$0] })
        }
    }

    private static func wantsFresh(_ request: ServedRequest) -> Bool { request.header("Cache-Control") == "no-cache" }

    /// GET `/applications`: for an application, only those that it may manage.
    func listApplications(_ request: ServedRequest) -> Route.Reply {
        if Self.wantsFresh(request) { statuses.clear() }
        return { [statuses] caller in
            let viewer = Viewer(issuer: request.host, subject: caller.user.subject)
            var states = statuses["list"]?.elements
            if states == nil {
                let fresh = try await self.states(of: self.applications(), for: viewer)
                statuses.keep(.array(fresh), as: "list")
                states = fresh
            }
            let visible = (states ?? []).filter { state in
                let id = state["application"]?["id"]?.stringText ?? ""
                return caller.isPlain || caller.application?.roles.contains(.manage(id)) ?? false
            }
            return Answer(.array(visible))
        }
    }

    /// GET `/applications/ID`
    func showApplication(_ id: String, _ request: ServedRequest) -> Route.Reply {
        if Self.wantsFresh(request) { statuses.clear() }
        return { [statuses] caller in
            guard let application = try await self.application(id) else { throw Self.unknown(404, id) }
            if let kept = statuses["one \(id)"] { return Answer(kept) }
            let viewer = Viewer(issuer: request.host, subject: caller.user.subject)
            let state = try await self.state(of: application, for: viewer)
            statuses.keep(state, as: "one \(id)")
            return Answer(state)
        }
    }

    /// GET `/applications/ID/setup`: also used to update; sets up dependencies as well.
    func setUp(_ id: String, _ request: ServedRequest) -> Route.Reply {
        { caller in
            let viewer = Viewer(issuer: request.host, subject: caller.user.subject)
            let dependencies = try await self.setUpWithDependencies(id, viewer)
            guard let application = try await self.application(id) else { throw Self.unknown(400, id) }
            return Answer(try await self.state(of: application, for: viewer, dependencies: dependencies))
        }
    }

    /// Sets up an application and everything that it depends on.
    ///
    /// - Returns: Whether every dependency could be set up, `nil` without any. Tools are functions, which a sandbox does not
    ///   have.
    func setUpWithDependencies(_ id: String, _ viewer: Viewer) async throws -> Bool? {
        statuses.clear()
        guard let application = try await self.application(id) else { throw Self.unknown(400, id) }
        do {
            try await store.setUp(application, at: clock.milliseconds)
        } catch is DataDebitFailure {
            throw Refusal.application(500, "Application malformed", "Its data debit clashes with another one")
        } catch is ShapeRefusal {
            throw Refusal.application(500, "Application malformed", "Its dataRetrieved is no bundle")
        }
        // The application is enabled by now, and stays so if the directory cannot be informed.
        let platform = try tokens.user(issuer: viewer.issuer, scope: "platform", subject: viewer.subject)
        try await directory.registerConsent(to: id, token: Secret(platform))
        guard let dependencies = application.definition["dependencies"]?.object else { return nil }
        func identifiers(_ kind: JSONString) -> [String] {
            dependencies[kind]?.elements?.compactMap(\.stringText) ?? []
        }
        var areEnabled = identifiers("tools").isEmpty
        for id in identifiers("plugs") + identifiers("contracts") {
            if let dependency = try await self.application(id) {
                do {
                    try await store.setUp(dependency, at: clock.milliseconds)
                    continue
                } catch is DataDebitFailure {
                } catch is ShapeRefusal {}
            }
            areEnabled = false
        }
        return areEnabled
    }

    /// GET `/applications/ID/disable`
    func disable(_ id: String, _ request: ServedRequest) -> Route.Reply {
        { [store, statuses, clock] caller in
            guard try await self.application(id) != nil else { throw Self.unknown(400, id) }
            statuses.clear()
            try await store.disable(id, at: clock.milliseconds)
            guard let application = try await self.application(id) else { throw Self.unknown(400, id) }
            return Answer(try await self.state(of: application, for: Viewer(issuer: request.host)))
        }
    }

    /// GET `/applications/ID/access-token`: also for one that is not set up, whose token is not good for anything yet.
    func applicationToken(_ id: String, issuer: String) -> Route.Reply {
        { [tokens] caller in
            guard let application = try await self.application(id) else { throw Self.unknown(404, id) }
            let token = try tokens.application(
                id,
                version: application.version,
                issuer: issuer,
                subject: caller.user.subject
            )
            return Self.tokenAnswer(token, caller.user)
        }
    }

    /// GET `/applications/ID/hmi`: the bare definition, for callers without a token; with one it is a 403.
    func definition(_ id: String, _ request: ServedRequest) async throws -> Answer {
        if let caller = try await caller(request) {
            var answer = Refusal.forbidden.answer(prefersHTML: AcceptHeader.prefersHTML(request.header("Accept")))
            answer.headers.append((PDAHeader.token, try tokens.refresh(caller.claims)))
            return answer
        }
        guard let application = try await application(id) else {
            throw Refusal.application(
                404,
                "Not Found",
                "Application configuration for ID \(id) could not be found. Make sure application is correctly registered"
            )
        }
        return Answer(application.definition)
    }

    /// Any method at `/applications/ID/proxy/PATH`: forwarded to the application's address with its token.
    func proxy(_ target: ProxyPath, _ request: ServedRequest) async throws -> Route.Reply {
        let (id, path) = (target.application, target.path)
        let body = try await request.bodyBytes()
        return { [tokens, outward] caller in
            guard let application = try await self.application(id) else { throw Self.unknown(404, id) }
            guard application.isEnabled else {
                throw Refusal.application(400, "Application not active", "Application \(id) is not enabled")
            }
            var base = application.definition["kind"]?["url"]?.stringText ?? ""
            while base.hasSuffix("/") { base.removeLast() }
            let token = try tokens.application(
                id,
                version: application.version,
                issuer: request.host,
                subject: caller.user.subject
            )
            let query = request.rawQuery.map { "?\($0)" } ?? ""
            let reply = try await outward.forward(
                request.method,
                to: "\(base)/\(path)\(query)",
                body: body.isEmpty ? nil : body,
                type: request.header("Content-Type"),
                token: Secret(token)
            )
            return Answer(reply.status, body: reply.body)
        }
    }

    static func unknown(_ status: Int, _ id: String) -> Refusal {
        .application(status, "Application not Found", PDACause.applicationUnknown(id))
    }
}
