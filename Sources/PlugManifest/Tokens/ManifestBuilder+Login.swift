import PlugCore

extension ManifestBuilder {
    /// A request for a session token, and how the token is used; `nil` if that is invalid.
    func login(_ kind: YAMLEntry, hasBase: Bool) -> Authorization? {
        guard let keys = CheckedMapping(kind.value, Tables.login, at: kind.keyLocation, findings) else { return nil }
        let answers = ProgramScope.answers(.answer, hasParent: false)
        let request = loginRequest(keys, hasBase: hasBase)
        let token = program(keys["token"], answers)
        let lifetime = lifetime(keys["expires"], answers)
        let use = tokenUse(keys.entry("use"))
        let deadIf = deadRule(keys.entry("dead_if"))
        guard let request, let token else { return nil }
        return .login(LoginSettings(request: request, token: token, lifetime: lifetime, use: use, deadIf: deadIf))
    }

    /// How long a token lives; `nil` if nothing is said, or it is invalid.
    private func lifetime(_ node: YAMLNode?, _ answers: ProgramScope) -> TokenLifetime? {
        if let text = node?.scalar?.text, let duration = HumanDuration.parse(text), duration > .zero {
            return .fixed(duration)
        }
        return program(node, answers).map { .told($0) }
    }

    private func loginRequest(_ keys: CheckedMapping, hasBase: Bool) -> LoginRequest? {
        guard let entry = keys.entry("request"),
            let request = CheckedMapping(entry.value, Tables.loginRequest, at: entry.keyLocation, findings)
        else { return nil }
        let scope = Self.authScope
        let path = template(request["path"], scope)
        if let path { checkLoginPath(path, hasBase: hasBase) }
        let query = templates(request["query"], scope)
        let headers = headers(request["headers"], scope)
        let body = loginBody(request, scope)
        let isGet = request.text("method") == Request.Method.get.rawValue
        if isGet, let key = ["json", "form"].first(where: request.isWritten) {
            let help = "write 'method: POST'"
            findings.error(.jsonNeedsPost, "a GET request has no body", at: request.location(key), help: help)
        }
        var method = request.text("method").flatMap(Request.Method.init(rawValue:)) ?? .post
        if case .none = body, !request.isWritten("method") { method = .get }
        guard let path else { return nil }
        return LoginRequest(method: method, path: path, query: query, headers: headers, body: body)
    }

    private func loginBody(_ request: CheckedMapping, _ scope: ProgramScope) -> LoginRequest.Body {
        if request.isWritten("json"), request.isWritten("form") {
            let message = "'form' and 'json' cannot be used together in a login request"
            findings.error(.twoKinds, message, at: request.location("form"), help: "keep one of them")
        }
        if let node = request["form"] { return .form(templates(node, scope)) }
        return request["json"].flatMap { jsonTemplate($0, scope) }.map { .json($0) } ?? .none
    }

    /// A URL may lead to another host; anything else is below the base.
    private func checkLoginPath(_ path: Template, hasBase: Bool) {
        if case .text(let first)? = path.parts.first, first.contains("://") {
            checkAuthURL(path, of: "path")
        } else {
            checkPath(path, [], hasBase)
        }
    }
}
