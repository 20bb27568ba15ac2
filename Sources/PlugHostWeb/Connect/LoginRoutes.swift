internal import Connecting
internal import PDAWire
internal import PlugCore
internal import PlugManifest
internal import PlugRuntime
internal import PlugStorage
internal import Syncing

/// How people log in with their PDA, and what a PDA's token leads to.
///
/// No page is shown at an address that has a token in it: the browser is led on at once.
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
        connections = HostConnections(host.store, host.plugs, clock: host.clock, bell: host.bell)
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

    // MARK: Where is your PDA?

    /// What a page with the question for a PDA says beside it.
    private enum Note {
        case declined
        case problem(PlugError)
    }

    private func connectPage(_ request: HostRequest, _ note: Note? = nil) async throws -> HostAnswer {
        let facts = try PlugPages.facts(request, plugs)
        let id = facts.manifest.id
        var content: HTML = ""
        if case .declined = note {
            content += """
                <p class="sheet" role="status">Your PDA did not let \(facts.name) in, so nothing was connected.
                You can try again, or leave it.</p>
                """
        }
        if case .person(let pda) = request.visitor {
            let own = try await store.connections(of: id, at: pda)
            if !own.isEmpty { content += try await existing(own, request, id) }
        }
        content += """
            <p>First, log in at your PDA and let \(facts.name) in. \(facts.name) can then add records under
            <code>\(facts.manifest.namespace)</code>. It cannot read anything.</p>
            \(Page.form(to: PlugPages.path(id, "/connect"), for: request, Self.question(request, note)))
            """
        return form("Connect \(facts.name)", content, request, note)
    }

    private func logInPage(_ request: HostRequest, _ note: Note? = nil) async throws -> HostAnswer {
        let facts = plugs.current.manifests.values.map(PlugFacts.init).sorted { $0.manifest.id < $1.manifest.id }
        let chosen = request.field("plug")
        let options = facts.map { facts -> HTML in
            let mark = facts.manifest.id == chosen ? " selected" : ""
            return "<option value=\"\(facts.manifest.id)\"\(HTML(stringLiteral: mark))>\(facts.name)</option>"
        }
        let fields: HTML = """
            <label for="plug">A plug that you have connected</label>
            <select id="plug" name="plug">\(options.joined())</select>
            \(Self.question(request, note))
            """
        let content: HTML = """
            <p>Your PDA says who you are. It does so for one of your plugs; you then see all your connections.</p>
            \(Page.form(to: "/login", for: request, fields))
            """
        return form("Log in with your PDA", content, request, note)
    }

    private func form(_ title: String, _ content: HTML, _ request: HostRequest, _ note: Note?) -> HostAnswer {
        var page = Page(title, content)
        if case .problem = note { page.status = 422 }
        (page.hasForm, page.formTargets) = (true, host.policy.formTargets)
        return request.page(page)
    }

    private static func question(_ request: HostRequest, _ note: Note?) -> HTML {
        let own = if case .person(let pda) = request.visitor { Words.pda(pda) } else { "" }
        var problem: String?
        if case .problem(let error) = note { problem = PageProblem(error).sentence }
        return """
            \(FormField.text("pda", "The address of your PDA", value: request.field("pda") ?? own, hint: "For example ann.hubofallthings.net", problem: problem, autocomplete: "url"))
            <button>Continue to your PDA</button>
            """
    }

    private func existing(_ own: [Connection], _ request: HostRequest, _ plug: String) async throws -> HTML {
        var items: HTML = ""
        for connection in own { items += try await ConnectionCard(connection, in: store, plugs).html }
        let button: HTML = "<button>Connect another account</button>"
        return """
            <p>You have connected it already:</p>
            <ul class="cards">\(items)</ul>
            \(Page.form(to: PlugPages.path(plug, "/connections"), for: request, button))
            <h2>Another PDA, or this one again</h2>
            """
    }

    private func connect(_ request: HostRequest) async throws -> HostAnswer {
        let facts = try PlugPages.facts(request, plugs)
        return try await leave(request, facts.manifest.id, .connect) { try await connectPage(request, .problem($0)) }
    }

    private func logIn(_ request: HostRequest) async throws -> HostAnswer {
        guard let plug = request.field("plug"), plugs.current.manifests[plug] != nil else {
            return .redirect(to: "/login")
        }
        return try await leave(request, plug, .logIn) { try await logInPage(request, .problem($0)) }
    }

    /// Sends a browser to its PDA.
    private func leave(
        _ request: HostRequest,
        _ plug: String,
        _ purpose: LoginCookie.Purpose,
        refused: (PlugError) async throws -> HostAnswer
    ) async throws -> HostAnswer {
        try request.demandPrivacy()
        let home = "\(request.origin)\(PlugPages.path(plug))"
        var state: Secret?
        let address: String
        do {
            address = try await logins.begin(
                at: request.field("pda") ?? "",
                plug: plug,
                in: request.session,
                redirect: {
                    state = $0
                    return "\(home)/setup"
                },
                fallback: "\(home)/declined"
            )
        } catch let error as PlugError where error.code.text == "pda-name" { return try await refused(error) }
        var answer = HostAnswer.redirect(to: address)
        if let state { answer.headers.append(LoginCookie(state, purpose).header(for: request)) }
        return answer
    }

    // MARK: Back with a token

    /// The address that a PDA leads to, whether this host has asked for it or not.
    private func setUp(_ request: HostRequest) async throws -> HostAnswer {
        try request.demandPrivacy()
        let plug = request.parameter("plug")
        // The page that says so has no token in its address.
        guard plugs.current.manifests[plug] != nil else { return .redirect(to: PlugPages.path(plug)) }
        let login = LoginCookie(request)
        var answer: HostAnswer
        if request.queried("token") == nil {
            // Who opens the address by hand begins; who comes back without a token has said no.
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
                // This login is over: the token counts as one that the PDA has brought by itself.
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
            <p>Go on only if this is your own PDA: what \(facts.name) brings is stored there.</p>
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

    /// Logs a person in, and leads to what is to be done next.
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

    /// Makes a further connection, with the token that the PDA has made for the plug before.
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
        // Without a token of the PDA there is nothing to begin with.
        return .redirect(to: PlugPages.path(plug, "/connect"))
    }
}
