internal import Connecting
internal import CurlTransport
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import PlugStorage
internal import Syncing

/// How a person connects a connection's source: the plug's questions, the streams, then the service's own consent.
struct SourceRoutes: Sendable {
    private let store: any PlugStore
    private let plugs: HostPlugs
    private let policy: NetworkPolicy
    private let connecting: SourceConnecting
    private let connections: HostConnections
    private let notes: BrowserNotes

    init(_ host: HostServer.Means) {
        (store, plugs, policy) = (host.store, host.plugs, host.policy)
        connecting = host.sources
        connections = host.connections
        notes = BrowserNotes(host.store, clock: host.clock)
    }

    var all: [HostRoute] {
        [
            HostRoute(.get, "/connections/{connection}/source", [.person]) { try await page($0, nil) },
            HostRoute(.post, "/connections/{connection}/source", [.person], body: .form, limit: .guesses) {
                try await answer($0)
            },
            HostRoute(.get, "/connections/{connection}/devices/{device}", [.person]) { try await device($0) },
            HostRoute(.get, "/oauth/callback/{provider}", PlugPages.everybody, limit: .guesses) {
                try await callback($0)
            },
        ]
    }

    // MARK: The form

    /// The errors in the given answers.
    private struct Wrong {
        var fields: [SourceForm.Problem] = []
        var streams: String?
        var from: String?
        var source: PlugError?
    }

    private func page(_ request: HostRequest, _ wrong: Wrong?) async throws -> HostAnswer {
        let connection = try request.namedConnection()
        let manifest = try plugs.current.manifest(of: connection.plug, for: connection.id)
        let facts = PlugFacts(manifest)
        let form = try await connecting.form(of: connection.id)
        let choice = try await StreamChoice(connection, manifest, in: store)
        let questions = SourceQuestions(form, given: wrong == nil ? nil : request.form, wrong: wrong?.fields ?? [])
        let account = try await KeptAccount.label(of: connection.id, in: store)
        let again: HTML? = account.map {
            """
            <p>This connection reads the account of <b>\($0)</b>. Log in with the same account; for another one,
            <a href="\(PlugPages.path(connection.plug, "/connect"))">make another connection</a>.</p>
            """
        }
        let trouble: HTML? = wrong?.source.map {
            "<div class=\"sheet\" role=\"alert\"><p class=\"bad\">This was not connected.</p>\(PageProblem($0).html)</div>"
        }
        let fields: HTML = """
            \(questions.html)
            \(choice.html(given: wrong == nil ? nil : request.form, problem: wrong?.streams))
            \(account == nil ? choice.fromField(given: request.field(StreamChoice.fromName), problem: wrong?.from) : nil)
            <button>\(facts.isConsent ? "Continue to the service" : "Connect")</button>
            """
        var page = Page(
            "Connect \(facts.name)",
            status: wrong == nil ? 200 : 422,
            """
            \(again)
            <p>\(facts.way)</p>
            \(trouble)
            \(Page.form(to: "\(ConnectionPath(connection.id))/source", for: request, fields))
            <p class="quiet">To your PDA <b>\(Words.pda(connection.pda))</b></p>
            """
        )
        (page.hasForm, page.formTargets) = (true, policy.formTargets)
        return request.page(page)
    }

    private func answer(_ request: HostRequest) async throws -> HostAnswer {
        let connection = try request.namedConnection()
        let manifest = try plugs.current.manifest(of: connection.plug, for: connection.id)
        let choice = try await StreamChoice(connection, manifest, in: store)
        var wrong = Wrong()
        var change = HostConnections.Change()
        do throws(PlugError) {
            change.streams = .some(try choice.streams(of: request.form))
        } catch { wrong.streams = error.message.sentence }
        do throws(PlugError) {
            if let from = try choice.from(of: request.form) { change.from = .some(from) }
        } catch { wrong.from = error.message.sentence }
        let given = SourceQuestions.answers(request.form, for: manifest)
        if case .failure(let problems) = try await connecting.form(of: connection.id).answers(given) {
            wrong.fields = problems.all
        }
        guard wrong.fields.isEmpty, wrong.streams == nil, wrong.from == nil else {
            return try await page(request, wrong)
        }
        try await connections.change(connection, change, by: request.visitor.auditName)
        do {
            if let account = try await connecting.fill(given, of: connection.id) {
                return try await lead(request, ConsentEnd(account))
            }
            let origin = request.origin
            let step = try await connecting.begin(connection.id, in: request.session) { Self.callback($0, at: origin) }
            switch step {
            case .browser(let url): return .redirect(to: url.description)
            case .device(let progress):
                return .redirect(to: "\(ConnectionPath(connection.id))/devices/\(progress.id.reveal())")
            case .connected(let account): return try await lead(request, ConsentEnd(account))
            }
        } catch let error as PlugError {
            wrong.source = error
            return try await page(request, wrong)
        }
    }

    private func lead(_ request: HostRequest, _ end: ConsentEnd) async throws -> HostAnswer {
        request.lead(to: OutcomeRoutes.path(try await notes.keep(end, for: request.session)))
    }

    // MARK: Back from the service

    /// A provider's redirect address: each has its own, so that none can pass for another.
    private static func callback(_ provider: String, at origin: String) -> String {
        "\(origin)/oauth/callback/\(PercentEncoding.segment(provider))"
    }

    private func callback(_ request: HostRequest) async throws -> HostAnswer {
        try request.demandPrivacy()
        let address = Self.callback(request.parameter("provider"), at: request.origin)
        let query = FormText.encode(request.query)
        let connection = try await connecting.waiting(query, at: address, in: request.session)
        do {
            return try await lead(request, ConsentEnd(connecting.answer(query, at: address, in: request.session)))
        } catch let error as PlugError {
            return try await lead(request, ConsentEnd(error, connection: connection?.id.name, plug: connection?.plug))
        }
    }

    // MARK: On another device

    private func device(_ request: HostRequest) async throws -> HostAnswer {
        let connection = try request.namedConnection()
        let id = Secret(request.parameter("device"))
        guard let progress = try await connecting.device(id, in: request.session) else { throw HostRefusal.outcomeGone }
        if var end = progress.end {
            (end.connection, end.plug) = (connection.id.name, connection.plug)
            return request.page(try await OutcomeRoutes.page(end, in: store, plugs))
        }
        let address = progress.address.map { WebLink.orText("\($0)", "\($0)") } ?? "the service's page"
        let short: HTML? = progress.completeAddress.map {
            "<p class=\"row\"><a class=\"button\" href=\"\($0.description)\" rel=\"noreferrer\">Open the page with the code</a></p>"
        }
        var page = Page(
            "Type this code",
            """
            <p>Open \(address), on this device or another one, and type the code:</p>
            <p class="code"><code>\(progress.userCode)</code></p>
            \(short)
            <p>The code is valid until \(Words.time(progress.endsAt)). This page checks automatically whether you are done.</p>
            <p class="row"><a class="button plain" href="\(request.path)">Check now</a></p>
            """
        )
        page.refresh = 5
        return request.page(page)
    }
}

extension PlugFacts {
    /// Whether the person is sent to a page of the service.
    fileprivate var isConsent: Bool {
        manifest.authorization.consent?.isInBrowser ?? false
    }
}
