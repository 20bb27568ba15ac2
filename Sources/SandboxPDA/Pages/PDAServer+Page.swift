internal import PDAWire
internal import PlugCore

extension PDAServer {
    /// GET `/`: what arrived, for a browser that is logged in; `?key=` logs it in, once.
    func page(_ exchange: Exchange) async throws -> Answer {
        if let key = exchange.parameter("key") {
            var answer = Answer.redirect(to: "/")
            if let session = sessions.open(key: key) { answer.headers.append(Sessions.header(session)) }
            return Page.secured(answer)
        }
        guard sessions.isOpen(exchange.header("Cookie")) else {
            return Page.logIn(failed: exchange.parameter("failed") != nil)
        }
        let endpoint = exchange.parameter("at").flatMap { $0.isEmpty ? nil : $0 }
        var content = Page.Content(host: exchange.host, owner: owner.name, endpoint: endpoint)
        content.counts = try await store.counts()
        for application in try await applications() {
            content.applications.append(try await store.state(of: application))
        }
        content.records = try await store.newest(50, at: endpoint)
        return content.answer
    }

    /// POST `/login`
    func logIn(_ exchange: Exchange) async throws -> Answer {
        try demandSameOrigin(exchange)
        let form = try await exchange.form()
        guard loginLimit.allows("page \(exchange.peer)") else {
            throw HTMLError(status: 429, title: "Too many attempts", message: "Wait some seconds and try again.")
        }
        let password = form.first { $0.name == "password" }?.value ?? ""
        guard owner.accepts(name: owner.name, password: password) else {
            return Page.secured(.redirect(to: "/?failed=1"))
        }
        var answer = Answer.redirect(to: "/")
        answer.headers.append(Sessions.header(sessions.open()))
        return Page.secured(answer)
    }

    /// POST `/logout`
    func logOut(_ exchange: Exchange) async throws -> Answer {
        try demandSameOrigin(exchange)
        sessions.close(exchange.header("Cookie"))
        var answer = Answer.redirect(to: "/")
        answer.headers.append(Sessions.header(nil))
        return Page.secured(answer)
    }

    /// A form of another site may not post here. Every browser of today sends one of the two headers with a form.
    private func demandSameOrigin(_ exchange: Exchange) throws {
        let site = exchange.header("Sec-Fetch-Site") ?? "none"
        let origin = exchange.header("Origin") ?? "http://\(exchange.host)"
        guard site == "none" || site == "same-origin",
            origin == "http://\(exchange.host)" || origin == "https://\(exchange.host)"
        else { throw HTMLError(status: 403, title: "Forbidden", message: "This form was sent by another site.") }
    }
}
