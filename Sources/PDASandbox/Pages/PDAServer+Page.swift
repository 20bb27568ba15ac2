internal import PDAWire
internal import PlugCore

extension PDAServer {
    /// GET `/`: what arrived, for a logged-in browser; `?key=` logs it in, once.
    func page(_ request: ServedRequest) async throws -> Answer {
        if let key = request.parameter("key") {
            var answer = Answer.redirect(to: "/")
            if let session = sessions.open(key: key) { answer.headers.append(Sessions.header(session)) }
            return Page.secured(answer)
        }
        guard let form = sessions.formToken(request.header("Cookie")) else {
            return Page.logIn(request, next: "/", failed: false)
        }
        let endpoint = request.parameter("at").flatMap { $0.isEmpty ? nil : $0 }
        let owner = try await store.owner()?.name ?? ""
        var content = Page.Content(host: request.host, owner: owner, form: form, endpoint: endpoint)
        content.counts = try await store.counts()
        // A directory that is down should not hide what arrived.
        let applications = (try? await applications()) ?? []
        content.applications = try await states(of: applications, for: Viewer(issuer: request.host))
        let now = clock.milliseconds
        content.debits = try await store.dataDebits().map { debit in
            Page.Content.Debit(
                key: debit.key,
                client: debit.clientName,
                purpose: debit.latest?.purpose ?? "",
                isActive: debit.active(at: now) != nil
            )
        }
        content.resets = try await store.openResets(at: now)
        content.skip = max(0, (try? request.integer("skip")) ?? 0)
        let size = Page.Content.pageSize
        let records = try await store.newest(size + 1, at: endpoint, skip: content.skip)
        content.records = Array(records.prefix(size))
        content.hasOlder = records.count > size
        return content.answer
    }

    /// POST `/login`
    func logIn(_ request: ServedRequest) async throws -> Answer {
        try demandSameOrigin(request)
        let form = try await request.form()
        guard VisitorForm.isValid(form, request) else { throw Self.foreignForm }
        let next = Self.local(form.first { $0.name == "next" }?.value)
        guard loginLimit.allows("page \(request.peer)") else {
            throw HTMLError(status: 429, title: "Too many attempts", message: "Wait a few seconds and try again.")
        }
        let password = form.first { $0.name == "password" }?.value ?? ""
        guard let owner = try await store.owner(), store.passwords.accepts(password, of: owner) else {
            return Page.logIn(request, next: next, failed: true)
        }
        try await store.rememberLogin(at: clock.milliseconds)
        var answer = Answer.redirect(to: next)
        answer.headers.append(Sessions.header(sessions.open()))
        return Page.secured(answer)
    }

    /// A path of this sandbox; `/` for anything that a browser could interpret as another site.
    static func local(_ path: String?) -> String {
        guard let path, path.hasPrefix("/"), !path.hasPrefix("//"),
            path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") })
        else { return "/" }
        return path
    }

    /// POST `/logout`
    func logOut(_ request: ServedRequest) async throws -> Answer {
        _ = try await ownersForm(request)
        sessions.close(request.header("Cookie"))
        var answer = Answer.redirect(to: "/")
        answer.headers.append(Sessions.header(nil))
        return Page.secured(answer)
    }

    /// A form that the logged-in owner sent from a page of this sandbox.
    func ownersForm(_ request: ServedRequest) async throws -> [(name: String, value: String)] {
        try demandSameOrigin(request)
        let form = try await request.form()
        guard let expected = sessions.formToken(request.header("Cookie")),
            form.first(where: { $0.name == VisitorForm.field })?.value == expected
        else { throw Self.foreignForm }
        return form
    }

    static let foreignForm = HTMLError(
        status: 403,
        title: "Forbidden",
        message: "This form does not belong to this page, or it is too old. Go back and try again."
    )

    /// Another site's forms may not post here. Every current browser sends one of the two headers with a form.
    func demandSameOrigin(_ request: ServedRequest) throws {
        let site = request.header("Sec-Fetch-Site") ?? "none"
        let origin = request.header("Origin") ?? "http://\(request.host)"
        guard site == "none" || site == "same-origin",
            origin == "http://\(request.host)" || origin == "https://\(request.host)"
        else { throw HTMLError(status: 403, title: "Forbidden", message: "This form was sent by another site.") }
    }
}
