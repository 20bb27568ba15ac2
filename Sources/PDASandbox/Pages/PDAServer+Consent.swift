internal import LosslessJSON
internal import PDAWire
internal import PlugCore

extension PDAServer {
    /// The subject of the consent page.
    private struct Request {
        var application: KnownApplication
        var redirect: String
        var target: RedirectTarget
    }

    /// GET `/hatlogin?name=ID&redirect=URL`: whether an application may act for the owner.
    func askConsent(_ request: ServedRequest) async throws -> Answer {
        guard let form = sessions.formToken(request.header("Cookie")) else {
            return Page.logIn(request, next: request.target, failed: false)
        }
        let wanted: Request
        switch try await consentRequest(request.parameter("name"), request.parameter("redirect")) {
        case .success(let found): wanted = found
        case .failure(let page): return page.answer
        }
        let definition = wanted.application.definition
        let info = definition["info"]
        let name = info?["name"]?.stringText ?? wanted.application.id
        let terms = info?["termsUrl"]?.stringText.flatMap { WebLink.html($0, "Its terms") }
        return Page.answer(
            title: "\(name) · Sandbox PDA",
            class: "narrow",
            formTarget: wanted.target.origin,
            """
            <main>
            <h1>\(name)</h1>
            <p class="quiet">\(definition["developer"]?["name"]?.stringText ?? "") \(terms)</p>
            <p>\(info?["headline"]?.stringText ?? "")</p>
            <h2>It may</h2>
            <ul class="plain">\(Self.permissions(wanted.application))</ul>
            <p class="quiet">\(info?["dataUsePurpose"]?.stringText ?? "")</p>
            <form method="post" action="/hatlogin">
            \(Page.hidden(VisitorForm.field, form))\(Page.hidden("name", wanted.application.id))\
            \(Page.hidden("redirect", wanted.redirect))\(Page.hidden("fallback", request.parameter("fallback") ?? ""))
            <button name="decision" value="allow">Allow</button>
            <button class="plain" name="decision" value="refuse">Refuse</button>
            </form>
            <p class="quiet">You continue to <code>\(wanted.target.origin)</code>, with a token if you allow
            it.</p>
            </main>
            """
        )
    }

    /// POST `/hatlogin`: sets the application up and returns to it with its token, or returns without.
    func consent(_ request: ServedRequest) async throws -> Answer {
        let form = try await ownersForm(request)
        func field(_ name: String) -> String? { form.first { $0.name == name }?.value }
        let wanted: Request
        switch try await consentRequest(field("name"), field("redirect")) {
        case .success(let found): wanted = found
        case .failure(let page): return page.answer
        }
        guard field("decision") == "allow" else {
            // A fallback elsewhere would be blocked by the page's own policy.
            let fallback = field("fallback").flatMap { RedirectTarget($0)?.origin == wanted.target.origin ? $0 : nil }
            let address = fallback ?? wanted.redirect
            return leave(to: RedirectTarget.adding([("error", "access_denied")], to: address))
        }
        let application = wanted.application
        if !application.isEnabled || application.needsUpdating {
            _ = try await setUpWithDependencies(application.id, Viewer(issuer: request.host))
        }
        let token = try tokens.application(application.id, version: application.version, issuer: request.host)
        return leave(to: RedirectTarget.adding([("token", token)], to: wanted.redirect))
    }

    /// Redirects a browser without disclosing the address that it comes from.
    func leave(to address: String) -> Answer {
        var answer = Answer.redirect(to: address)
        answer.headers += [("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer")]
        return answer
    }

    private struct Wrong: Error { var answer: Answer }

    private func consentRequest(_ name: String?, _ redirect: String?) async throws -> Result<Request, Wrong> {
        guard let name, let application = try await application(name) else {
            let text = "This PDA knows no application with the id '\(name ?? "")'."
            return .failure(Wrong(answer: Page.notice(404, "Unknown application", text)))
        }
        guard let redirect, let target = RedirectTarget(redirect), target.isAllowed(by: application) else {
            let text =
                "The application asked to send you to an address that its definition does not "
                + "name. Nothing was sent there."
            return .failure(Wrong(answer: Page.notice(400, "Not an address of this application", text)))
        }
        return .success(Request(application: application, redirect: redirect, target: target))
    }

    private static func permissions(_ application: KnownApplication) -> HTML {
        var items = application.roles.map { role -> HTML in
            let detail: HTML = "<code>\(role.detail ?? "")</code>"
            return switch role.title {
            case "owner": "do everything that you may do"
            case "namespacewrite": "write and delete data in \(detail)"
            case "namespaceread": "read data in \(detail)"
            case "applicationmanage": "set up and disable the application \(detail)"
            case "retrieveapplicationtoken": "act as the application \(detail)"
            default: "<code>\(role.title)</code> \(role.detail == nil ? nil : detail)"
            }
        }
        let properties = application.dataRetrieved?["bundle"]?.object?.keys.map(\.text) ?? []
        if !properties.isEmpty {
            let names = properties.map { HTML("<code>\($0)</code>") }.joined(separator: ", ")
            items.append("receive \(names) for as long as you allow it")
        }
        if items.isEmpty { items = ["see who you are, and nothing else"] }
        return items.map { HTML("<li>\($0)</li>") }.joined()
    }
}
