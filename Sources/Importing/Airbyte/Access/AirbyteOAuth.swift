import PlugCore

/// Airbyte's OAuth, where the person provides the tokens.
struct AirbyteOAuth {
    let scope: JinjaScope

    func draft(_ component: Component) throws(Unsayable) -> AuthDraft {
        for key in ["profile_assertion", "use_profile_assertion"] {
            if let value = try component.member(key), !value.isFalse {
                throw Unsayable("a signed assertion ('\(key)') has no counterpart here", line: value.line)
            }
        }
        let grant = try template(component, "grant_type") ?? "refresh_token"
        guard let url = try template(component, "token_refresh_endpoint") else {
            // The person's token is then used as it is.
            if let token = try template(component, "access_token_value") {
                return AuthDraft(value: .members(("bearer", .members(("token", .text(token))))))
            }
            throw Unsayable("OAuth without 'token_refresh_endpoint' has no counterpart")
        }
        var body: [PlugYAML.Entry] = []
        for (name, value) in try component.member("refresh_request_body")?.members ?? [] {
            guard let text = value.text else { continue }
            body.append(PlugYAML.Entry(key: name, value: .text(try JinjaTemplate(text, scope).template(.wire))))
        }
        for (key, standard) in [
            ("client_id_name", "client_id"), ("client_secret_name", "client_secret"),
            ("refresh_token_name", "refresh_token"), ("grant_type_name", "grant_type"),
        ] {
            if let name = try component.member(key)?.text, name != standard {
                throw Unsayable("the parameter '\(standard)' under the name '\(name)' has no counterpart")
            }
        }
        var headers: [PlugYAML.Entry] = []
        var client = "body"
        for (name, value) in try component.member("refresh_request_headers")?.members ?? [] {
            guard let text = value.text else { continue }
            if name.lowercased() == "authorization", text.hasPrefix("Basic"), text.contains("client") {
                client = "basic"
                continue
            }
            if name.lowercased() == "content-type" { continue }
            headers.append(PlugYAML.Entry(key: name, value: .text(try JinjaTemplate(text, scope).template(.wire))))
        }
        // Parameters with the standard names are sent already.
        body.removeAll { ["grant_type", "client_id", "client_secret", "refresh_token"].contains($0.key) }
        let scopes = (try component.member("scopes")?.elements ?? []).compactMap(\.text)
        var refresh: PlugYAML?
        switch grant {
        case "refresh_token":
            guard let token = try template(component, "refresh_token") else {
                throw Unsayable("OAuth without 'refresh_token' has no counterpart")
            }
            let rotates = try component.member("refresh_token_updater") != nil
            refresh = .members(("token", .text(token)), ("rotates", rotates ? .plain("true") : nil))
        case "client_credentials": break
        default: return try login(component, grant, url, headers)
        }
        let access = try component.member("access_token_name")?.text
        let expires = try component.member("expires_in_name")?.text
        let fields = PlugYAML.members(
            ("access_token", access.flatMap { $0 == "access_token" ? nil : .program(PathNotation.path([$0])) }),
            ("expires", expires.flatMap { $0 == "expires_in" ? nil : .program(PathNotation.path([$0])) })
        )
        let asQuery = (try component.member("send_refresh_request_as_query_params"))?.isTrue == true
        return AuthDraft(
            value: .members(
                (
                    "oauth2",
                    .members(
                        ("grant", .text(grant)),
                        ("client_id", try template(component, "client_id").map(PlugYAML.text)),
                        ("client_secret", try template(component, "client_secret").map(PlugYAML.text)),
                        (
                            "token",
                            .members(
                                ("url", .text(try tokenAddress(component, url))),
                                ("client", client == "body" ? nil : .text(client)),
                                ("body", asQuery ? .text("query") : nil),
                                ("params", PlugYAML.mapping(body).unlessEmpty),
                                ("headers", PlugYAML.mapping(headers).unlessEmpty)
                            )
                        ),
                        ("refresh", refresh),
                        ("scopes", scopes.isEmpty ? nil : .list(scopes.map(PlugYAML.text))),
                        ("fields", fields.unlessEmpty)
                    )
                )
            ),
            fitsStream: false
        )
    }

    /// The address of the token. In Airbyte templates return a host or part of a path, so one for a whole address is split.
    private func tokenAddress(_ component: Component, _ written: String) throws(Unsayable) -> String {
        guard written.hasPrefix("{{ "), written.hasSuffix(" }}"), written.ranges(of: "{{").count == 1,
            let text = try component.member("token_refresh_endpoint")?.text
        else { return written }
        let paths = Set(
            try JinjaTemplate(text, scope).namedAddresses.map { address in
                address.dropFirst("https://".count).drop { $0 != "/" }
            }
        )
        guard paths.count == 1, let path = paths.first, !path.isEmpty else {
            throw Unsayable("the address of the token is a setting, and nothing says its path")
        }
        let program = written.dropFirst(3).dropLast(3)
        let ending = JQText.string(String(path))
        return "https://{{ (\(program)) | if endswith(\(ending)) then split(\"/\")[2] else error end }}\(path)"
    }

    /// A grant without a counterpart in OAuth here becomes a login that returns a token.
    private func login(_ component: Component, _ grant: String, _ url: String, _ headers: [PlugYAML.Entry])
        throws(Unsayable)
        -> AuthDraft
    {
        var form = [PlugYAML.Entry(key: "grant_type", value: .text(grant))]
        for key in ["client_id", "client_secret"] {
            if let value = try template(component, key) { form.append(PlugYAML.Entry(key: key, value: .text(value))) }
        }
        for (name, value) in try component.member("refresh_request_body")?.members ?? [] {
            guard let text = value.text else { continue }
            form.removeAll { $0.key == name }
            form.append(PlugYAML.Entry(key: name, value: .text(try JinjaTemplate(text, scope).template(.wire))))
        }
        let named = (try component.member("access_token_name"), try component.member("expires_in_name"))
        let access = named.0?.text ?? "access_token"
        let expires = named.1?.text ?? "expires_in"
        return AuthDraft(
            value: .members(
                (
                    "login",
                    .members(
                        (
                            "request",
                            .members(
                                ("method", .text("POST")),
                                ("path", .text(url)),
                                ("headers", PlugYAML.mapping(headers).unlessEmpty),
                                ("form", .mapping(form))
                            )
                        ),
                        ("token", .program(PathNotation.path([access]))),
                        ("expires", .program(PathNotation.path([expires])))
                    )
                )
            ),
            fitsStream: false
        )
    }

    private func template(_ component: Component, _ key: String) throws(Unsayable) -> String? {
        guard let text = try component.member(key)?.text else { return nil }
        return try JinjaTemplate(text, scope).template(.wire)
    }
}
