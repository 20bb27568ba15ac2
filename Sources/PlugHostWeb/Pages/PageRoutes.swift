/// What all pages need: the style sheet, and logging out.
struct PageRoutes: Sendable {
    private let sessions: HostSessions

    init(_ sessions: HostSessions) { self.sessions = sessions }

    var all: [HostRoute] {
        let sessions = sessions
        return [
            HostRoute(.get, "/assets/host.css", .anybody) { _ in
                Self.kept(HostAnswer(type: "text/css; charset=utf-8", body: Array(Stylesheet.text.utf8)))
            },
            HostRoute(.get, "/assets/icon.svg", .anybody) { _ in
                Self.kept(HostAnswer(type: "image/svg+xml", body: Array(Stylesheet.icon.utf8)))
            },
            HostRoute(.get, "/assets/live.js", .anybody) { _ in
                Self.kept(HostAnswer(type: "text/javascript; charset=utf-8", body: Array(LiveScript.text.utf8)))
            },
            HostRoute(.post, "/logout", [.stranger, .person, .operator], body: .form) { request in
                try await sessions.logOut(request.browser, leadingTo: "/")
            },
        ]
    }

    private static func kept(_ answer: HostAnswer) -> HostAnswer {
        var answer = answer
        answer.maxAge = 3600
        return answer
    }
}
