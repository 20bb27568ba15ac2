internal import Connecting
internal import CurlTransport
internal import PDAWire
internal import PlugCore
internal import PlugManifest
internal import PlugStorage
internal import Syncing

/// Asking for a person's PDA, and sending them to it.
extension LoginRoutes {
    /// What a page that asks for a PDA also says.
    enum Note {
        case declined
        case problem(PlugError)
    }

    func connectPage(_ request: HostRequest, _ note: Note? = nil) async throws -> HostAnswer {
        let facts = try PlugPages.facts(request, plugs)
        let id = facts.manifest.id
        // Before any log-in or consent: both would be in vain.
        if let lack = try plugs.current.lack(of: facts.manifest) {
            let content: HTML = """
                \(LackText(lack).html(for: request.visitor))
                <p class="row"><a class="button plain" href="/plugs">All plugs</a></p>
                """
            return request.page(Page(facts.name, status: 409, content))
        }
        var content: HTML = ""
        if case .declined = note {
            content += """
                <p class="sheet" role="status">Your PDA did not let \(facts.name) in, so nothing was connected.
                You can try again, or stop here.</p>
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

    func logInPage(_ request: HostRequest, _ note: Note? = nil) async throws -> HostAnswer {
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
            <p>Your PDA confirms who you are. It does so for one of your plugs; you then see all your connections.</p>
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
            <p>You have already connected it:</p>
            <ul class="cards">\(items)</ul>
            \(Page.form(to: PlugPages.path(plug, "/connections"), for: request, button))
            <h2>Connect another PDA, or this one again</h2>
            """
    }

    func connect(_ request: HostRequest) async throws -> HostAnswer {
        let facts = try PlugPages.facts(request, plugs)
        guard try plugs.current.lack(of: facts.manifest) == nil else { return try await connectPage(request) }
        return try await leave(request, facts.manifest.id, .connect) { try await connectPage(request, .problem($0)) }
    }

    func logIn(_ request: HostRequest) async throws -> HostAnswer {
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
        } catch let error as PlugError where error.code.text == "pda-name" || error.code.text.hasPrefix("pda-key-") {
            return try await refused(error)
        }
        var answer = HostAnswer.redirect(to: address)
        if let state { answer.headers.append(LoginCookie(state, purpose).header(for: request)) }
        return answer
    }
}
