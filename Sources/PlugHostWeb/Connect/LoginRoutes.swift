internal import Connecting
internal import PDAWire
internal import PlugCore
internal import PlugManifest
internal import PlugRuntime
internal import PlugStorage
internal import Syncing

/// How people log in with their PDA, and what happens to a PDA's token.
///
/// No page is shown at an address with a token in it: the browser is redirected at once.
struct LoginRoutes: Sendable {
    let store: any PlugStore
    let plugs: HostPlugs
    let host: HostServer.Means
    let sessions: HostSessions
    let logins: PDALogins
    let status: PDAStatus
    let notes: BrowserNotes
    let connections: HostConnections

    init(_ host: HostServer.Means, _ sessions: HostSessions) {
        (store, plugs, self.host, self.sessions) = (host.store, host.plugs, host, sessions)
        logins = PDALogins(host.store, host.verifier, policy: host.policy, clock: host.clock)
        status = PDAStatus(host.store, host.verifier, clock: host.clock)
        notes = BrowserNotes(host.store, clock: host.clock)
        connections = host.connections
    }

    var all: [HostRoute] {
        let everybody = PlugPages.everybody
        return [
            HostRoute(.get, "/login", everybody) { try await logInPage($0) },
            HostRoute(.post, "/login", everybody, body: .form, limit: .guesses) { try await logIn($0) },
            HostRoute(.get, "/plugs/{plug}/connect", everybody) { try await connectPage($0) },
            HostRoute(.post, "/plugs/{plug}/connect", everybody, body: .form, limit: .guesses) {
                try await connect($0)
            },
            HostRoute(.get, "/plugs/{plug}/declined", everybody) { try await connectPage($0, .declined) },
            HostRoute(.get, "/plugs/{plug}/setup", everybody, limit: .guesses) { try await setUp($0) },
            HostRoute(.post, "/plugs/{plug}/connections", [.person], body: .form, limit: .guesses) {
                try await connectAnother($0)
            },
            HostRoute(.get, "/arrivals/{arrival}", everybody) { try await arrivalPage($0) },
            HostRoute(.post, "/arrivals/{arrival}", everybody, body: .form, limit: .guesses) { try await agree($0) },
        ]
    }

    // MARK: Back with a token

    /// The address that a PDA redirects to, whether or not this host has asked for it.
    private func setUp(_ request: HostRequest) async throws -> HostAnswer {
        try request.demandPrivacy()
        let plug = request.parameter("plug")
        // The page for this has no token in its address.
        guard plugs.current.manifests[plug] != nil else { return .redirect(to: PlugPages.path(plug)) }
        let login = LoginCookie(request)
        var answer: HostAnswer
        if request.queried("token") == nil {
            // Opening the address by hand starts a login; coming back without a token means that the person declined.
            let isBack = login != nil || request.queried("error") != nil
            answer = request.lead(to: PlugPages.path(plug, isBack ? "/declined" : "/connect"))
        } else {
            do { answer = try await arrive(request, plug, login) } catch let error as PlugError {
                let end = ConsentEnd(error, plug: plug)
                answer = request.lead(to: OutcomeRoutes.path(try await notes.keep(end, for: request.session)))
            }
        }
        if login != nil { answer.headers.append(LoginCookie.removal(for: request)) }
        return answer
    }

    private func arrive(_ request: HostRequest, _ plug: String, _ login: LoginCookie?) async throws -> HostAnswer {
        let query = FormText.encode(request.query)
        if let login {
            do {
                let token = try await logins.answer(query, state: login.state, in: request.session)
                return try await enter(token, plug, login.purpose, request)
            } catch let error as PlugError
                where ["consent-foreign", "consent-used", "consent-expired"].contains(error.code.text)
            {
                // This login has ended: the token counts as one that the PDA has sent unasked.
            }
        }
        let token = try await host.verifier.verify(try PDALogin.token(in: query), plug: plug)
        if request.visitor == .person(pda: token.pda) { return try await enter(token, plug, .connect, request) }
        let note = try await notes.keep(token, plug: plug, for: request.session)
        return request.lead(to: "/arrivals/\(note.reveal())")
    }

    private func arrivalPage(_ request: HostRequest) async throws -> HostAnswer {
        let id = Secret(request.parameter("arrival"))
        guard let arrival = try await notes.arrival(id, for: request.session),
            let manifest = plugs.current.manifests[arrival.plug]
        else { throw HostRefusal.arrivalGone }
        let facts = PlugFacts(manifest)
        var page = Page(
            "Connect \(facts.name)",
            """
            <p>The PDA <b>\(Words.pda(arrival.pda))</b> wants to connect \(facts.name).</p>
            <p>Continue only if this is your own PDA: the records from \(facts.name) are stored there.</p>
            \(Page.form(to: "/arrivals/\(request.parameter("arrival"))", for: request, "<button>This is my PDA</button>"))
            <p><a href="\(PlugPages.path(arrival.plug))">What is \(facts.name)?</a></p>
            """
        )
        page.hasForm = true
        return request.page(page)
    }

    private func agree(_ request: HostRequest) async throws -> HostAnswer {
        try request.demandPrivacy()
        do {
            let (token, plug) = try await notes.take(Secret(request.parameter("arrival")), for: request.session)
            return try await enter(token, plug, .connect, request)
        } catch let error as PlugError where error.code.text.hasPrefix("consent-") { throw HostRefusal.arrivalGone }
    }

    /// Logs a person in, and leads to the next step.
    private func enter(
        _ token: VerifiedPDAToken,
        _ plug: String,
        _ purpose: LoginCookie.Purpose,
        _ request: HostRequest
    ) async throws -> HostAnswer {
        let (known, woken) = try await status.takeOver(token, plug: plug)
        if !woken.isEmpty { host.bell.ring() }
        let path: String
        if purpose == .logIn {
            path = "/connections"
        } else if known.isEmpty {
            let new = try await connections.begin(plug: plug, at: token.pda, token.kept, by: "person")
            path = "\(ConnectionPath(new.id))/source"
        } else if let unfinished = try await unfinished(known) {
            path = "\(ConnectionPath(unfinished.id))/source"
        } else {
            path = PlugPages.path(plug, "/connect")
        }
        return try await sessions.logIn(.person, token.pda, with: request.browser, leadingTo: path)
    }

    /// The first connection whose source was never connected.
    private func unfinished(_ connections: [Connection]) async throws -> Connection? {
        for connection in connections where try await store.setup(of: connection.id)?.status == .reconnect {
            guard try await ConnectionAccount(of: connection, in: store) == nil else { continue }
            if try await store.runs(of: connection.id, limit: 1).isEmpty { return connection }
        }
        return nil
    }

    /// Makes another connection, with the token that the PDA has already made for the plug.
    private func connectAnother(_ request: HostRequest) async throws -> HostAnswer {
        let plug = try PlugPages.facts(request, plugs).manifest.id
        guard case .person(let pda) = request.visitor else { throw HostRefusal.notLoggedIn }
        let known = try await store.connections(of: plug, at: pda)
        if let unfinished = try await unfinished(known) {
            return .redirect(to: "\(ConnectionPath(unfinished.id))/source")
        }
        for connection in known {
            guard let token = try await store.keptToken(of: connection.id) else { continue }
            let new = try await connections.begin(plug: plug, at: pda, token, by: "person")
            return .redirect(to: "\(ConnectionPath(new.id))/source")
        }
        // Without a token from the PDA there is nothing to start with.
        return .redirect(to: PlugPages.path(plug, "/connect"))
    }
}
