internal import PDAWire
internal import PlugCore

extension Page {
    /// GET `/reset?token=TOKEN`
    static func reset(token: String, _ request: ServedRequest, wrong: String?) -> Answer {
        let form = VisitorForm.token(request)
        var page = answer(
            title: "New password · Sandbox PDA",
            class: "narrow",
            """
            <main>
            <h1>New password</h1>
            \(wrong.map { Page.wrong($0) })
            <form method="post" action="/reset">
            \(hidden(VisitorForm.field, form))\(hidden("token", token))
            <label for="password">At least ten characters, five of them different</label>
            <input id="password" name="password" type="password" autocomplete="new-password" required autofocus>
            <button>Set password</button>
            </form>
            </main>
            """
        )
        page.headers.append(VisitorForm.header(form))
        return page
    }
}

extension PDAServer {
    /// POST `/reset`
    func resetByForm(_ request: ServedRequest) async throws -> Answer {
        try demandSameOrigin(request)
        let form = try await request.form()
        guard VisitorForm.isValid(form, request) else { throw Self.foreignForm }
        let token = form.first { $0.name == "token" }?.value ?? ""
        let password = form.first { $0.name == "password" }?.value ?? ""
        guard PasswordHash.isStrong(password) else {
            return Page.reset(token: token, request, wrong: "That is too easy to guess.")
        }
        do {
            _ = try await reset(token, to: password, issuer: request.host)
        } catch let refusal as Refusal {
            return Page.notice(401, refusal.failure.title, refusal.failure.cause)
        }
        return Page.notice(200, "Password reset", "Log in with the new password.")
    }
}
