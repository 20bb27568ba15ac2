internal import PlugCore
internal import PlugStorage

/// The login for operators: a link that works once.
///
/// Opening the link shows a page with a button, and only the button uses it up: mail and chat programs open links automatically.
struct OperatorRoutes: Sendable {
    private let links: OperatorLinks
    private let sessions: HostSessions

    init(_ links: OperatorLinks, _ sessions: HostSessions) {
        self.links = links
        self.sessions = sessions
    }

    var all: [HostRoute] {
        [
            HostRoute(.get, "/operator/login", .anybody, limit: .guesses, logInPage),
            HostRoute(.post, "/operator/login", .anybody, body: .form, limit: .guesses, logIn),
        ]
    }

    private func logInPage(_ request: HostRequest) async throws -> HostAnswer {
        try request.demandPrivacy()
        guard let token = request.queried("token"), try await links.isOpen(token) else {
            throw HostRefusal.linkUsed
        }
        let fields: HTML = "<input type=\"hidden\" name=\"token\" value=\"\(token)\"><button>Log in</button>"
        var page = Page(
            "Log in as operator",
            """
            <p>This link works once. Operators see every connection of this host.</p>
            \(Page.form(to: "/operator/login", for: request, fields))
            """
        )
        page.hasForm = true
        return request.page(page)
    }

    private func logIn(_ request: HostRequest) async throws -> HostAnswer {
        // Before the link is used up.
        try request.demandPrivacy()
        guard let link = try await links.take(request.field("token") ?? "") else { throw HostRefusal.linkUsed }
        return try await sessions.logIn(link.role, link.subject, with: request.browser, leadingTo: "/operator")
    }
}
