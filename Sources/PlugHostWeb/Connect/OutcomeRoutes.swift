internal import Connecting
internal import PlugCore
internal import PlugManifest
internal import PlugStorage
internal import Syncing

/// The result of connecting a source: browsers are redirected to this page from addresses with codes and tokens in them.
struct OutcomeRoutes: Sendable {
    private let notes: BrowserNotes
    private let store: any PlugStore
    private let plugs: HostPlugs

    init(_ notes: BrowserNotes, in store: any PlugStore, _ plugs: HostPlugs) {
        (self.notes, self.store, self.plugs) = (notes, store, plugs)
    }

    static func path(_ note: Secret) -> String { "/outcomes/\(note.reveal())" }

    var all: [HostRoute] {
        [
            HostRoute(.get, "/outcomes/{outcome}", PlugPages.everybody) { request in
                let id = Secret(request.parameter("outcome"))
                guard let end = try await notes.end(id, for: request.session) else { throw HostRefusal.outcomeGone }
                return request.page(try await Self.page(end, in: store, plugs))
            }
        ]
    }

    /// The text that a person reads at the end.
    static func page(_ end: ConsentEnd, in store: any PlugStore, _ plugs: HostPlugs) async throws -> Page {
        let plug = end.plug.flatMap { plugs.current.manifests[$0] }
        let name = plug.map { PlugFacts($0).name }
        guard let code = end.code else {
            var setup: ConnectionSetup?
            if let connection = end.connection { setup = try await store.setup(of: ConnectionID(connection)) }
            return connected(end, name ?? "The account", isChecked: plug?.check != nil, next(setup))
        }
        let problem = PageProblem(code: code, message: end.message ?? code, advice: end.advice)
        return Page(
            title(code, name),
            status: status(code),
            """
            \(problem.html)
            \(wayOn(end))
            <p class="quiet">\(code)</p>
            """
        )
    }

    /// What follows now.
    private static func next(_ setup: ConnectionSetup?) -> String {
        switch setup?.status {
        case .active where setup?.dueAt != nil:
            "The first records are on their way to your PDA. From now on, new ones are copied automatically."
        case .paused: "It is paused: nothing is copied until you resume it."
        case .disabled: "Your PDA has disabled the plug: nothing is copied until you enable it there."
        case .active, .reconnect, nil: "Nothing is copied yet. See the connection for what it waits for."
        }
    }

    /// - Parameter isChecked: Whether the service was asked; only then is anything known about the account.
    private static func connected(_ end: ConsentEnd, _ name: String, isChecked: Bool, _ next: String) -> Page {
        let who: HTML? =
            end.who.map { "<p class=\"lead\">It reads the account of <b>\($0)</b>.</p>" }
            ?? (isChecked ? "<p class=\"lead\">Its account can be read.</p>" : nil)
        let missing: HTML? =
            end.missing.isEmpty
            ? nil
            : """
            <div class="sheet"><p class="warn">You did not allow everything that the plug asks for:
            \(end.missing.map { HTML("<code>\($0)</code>") }.joined(separator: ", ")).</p>
            <p>Records that need it will be missing. Connect again if you want to allow it.</p></div>
            """
        let way: HTML? = end.connection.map { name in
            "<p class=\"row\"><a class=\"button\" href=\"\(ConnectionPath(ConnectionID(name)))\">See the connection</a></p>"
        }
        return Page(
            "\(name) is connected",
            """
            \(who)
            \(missing)
            <p>\(next)</p>
            \(way)
            """
        )
    }

    private static func wayOn(_ end: ConsentEnd) -> HTML {
        var links: HTML = ""
        if let connection = end.connection {
            let path = ConnectionPath(ConnectionID(connection))
            links += "<a class=\"button\" href=\"\(path)/source\">Try again</a> "
            links += "<a class=\"button plain\" href=\"\(path)\">See the connection</a>"
        } else if let plug = end.plug {
            links += "<a class=\"button\" href=\"\(PlugPages.path(plug, "/connect"))\">Try again</a> "
            links += "<a class=\"button plain\" href=\"/plugs\">All plugs</a>"
        } else {
            links += "<a class=\"button\" href=\"/connections\">My connections</a> "
            links += "<a class=\"button plain\" href=\"/plugs\">All plugs</a>"
        }
        return "<p class=\"row\">\(links)</p>"
    }

    private static func title(_ code: String, _ name: String?) -> String {
        let plug = name ?? "The account"
        return switch code {
        case "consent-denied": "You did not let \(name ?? "the plug") in"
        case "consent-expired": "That took too long"
        case "consent-used": "This was already answered"
        case "consent-foreign": "This browser did not ask for that"
        case "account-other": "This is another account"
        default: "\(plug) was not connected"
        }
    }

    /// The result as the page's status, for clients that look at nothing else.
    static func status(_ code: String) -> Int {
        switch code {
        case "consent-denied", "pda-login-answer": 403
        case "consent-expired", "consent-used": 410
        case "consent-foreign", "consent-issuer": 400
        case "account-other": 409
        case "token-unreachable", "token-unavailable", "token-unreadable", "pda-key-unavailable", "source-unavailable",
            "source-unreachable", "consent-failed":
            502
        default: 422
        }
    }
}
