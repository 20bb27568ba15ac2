import JQ
import PlugCore

extension ManifestBuilder {
    /// OAuth 2; `nil` if any of it is invalid.
    func oauth2(_ kind: YAMLEntry, plug: String?) -> Authorization? {
        guard let keys = CheckedMapping(kind.value, Tables.oauth2, at: kind.keyLocation, findings) else { return nil }
        // A misspelt grant is one mistake: the keys that belong to it cannot be known.
        let grant = keys.isWritten("grant") ? keys.text("grant").flatMap(OAuthSettings.Grant.init(rawValue:)) : .code
        if let grant { checkKeys(keys, of: grant) }
        let authorize = address(keys.entry("authorize"))
        let device = address(keys.entry("device"))
        let token = tokenAddress(keys.entry("token"))
        let refresh = refresh(keys.entry("refresh"))
        let revoke = address(keys.entry("revoke"))
        let assertion = assertion(keys.entry("jwt"))
        let fields = fields(of: keys.entry("fields"))
        let client = client(keys, token?.client)
        let provider = provider(keys) ?? plug
        let scopes = (keys["scopes"]?.sequence ?? []).compactMap { template($0, Self.authScope) }
        let deadIf = deadRule(keys.entry("dead_if"))
        let use = tokenUse(keys.entry("use"))
        let keep = kept(keys["keep"])
        guard let grant, let token, let provider else { return nil }
        return .oauth2(
            OAuthSettings(
                provider: provider,
                client: client,
                grant: grant,
                authorize: authorize,
                device: device,
                token: token,
                refresh: refresh,
                revoke: revoke,
                scopes: scopes,
                scopeSeparator: keys.text("scope_separator") ?? " ",
                usesProofKey: keys["pkce"]?.scalar?.bool ?? true,
                assertion: assertion,
                fields: fields,
                deadIf: deadIf,
                use: use,
                keep: keep
            )
        )
    }

    // MARK: - What a grant needs

    /// What each grant needs, and what is meaningless without it.
    private func checkKeys(_ keys: CheckedMapping, of grant: OAuthSettings.Grant) {
        let refresh = keys.entry("refresh")
        func isThere(_ key: String) -> Bool { keys.isWritten(key) }
        func need(_ key: String, _ isThere: Bool, _ help: String) {
            if isThere { return }
            let place = keys.isWritten("grant") ? keys.location("grant") : keys.place
            findings.error(.grantNeeds, "the grant '\(grant.rawValue)' needs '\(key)'", at: place, help: help)
        }
        switch grant {
        case .code:
            let help =
                keys.isWritten("grant")
                ? "add the address where the person consents: authorize: {url: https://…}"
                : "add authorize: {url: https://…}, or write another grant: "
                    + "\(MessageText.list(OAuthSettings.Grant.allCases.dropFirst().map(\.rawValue), conjunction: "or"))"
            need("authorize", isThere("authorize"), help)
        case .deviceCode: need("device", isThere("device"), "add device: {url: https://…}")
        case .jwtBearer: need("jwt", isThere("jwt"), "add jwt: {algorithm: RS256, key: …, claims: {…}}")
        case .refreshToken:
            let help = "add refresh: {token: '{{ config.refresh_token }}'}"
            need("refresh.token", refresh?.value["token"] != nil, help)
        case .clientCredentials: break
        }
        for (key, grants) in Self.grantsOfKeys where !grants.contains(grant) {
            let (isWritten, location) =
                key.hasPrefix("refresh.")
                ? refresh?.value.mapping?.first { "refresh.\($0.key)" == key }.map { (true, $0.keyLocation) } ?? (
                    false, keys.place
                )
                : (keys.isWritten(key), keys.location(key))
            guard isWritten else { continue }
            let words = MessageText.list(grants.map(\.rawValue), conjunction: "or")
            let help = "remove it, or write 'grant: \(words)'"
            findings.error(
                .grantExcludes,
                "'\(key)' has no meaning with the grant '\(grant.rawValue)'",
                at: location,
                help: help
            )
        }
    }

    private static let refreshing = OAuthSettings.Grant.allCases.filter(\.refreshes)
    /// The keys that only some grants have.
    private static let grantsOfKeys: [(key: String, grants: [OAuthSettings.Grant])] = [
        ("authorize", [.code]), ("pkce", [.code]), ("device", [.deviceCode]), ("jwt", [.jwtBearer]),
        ("revoke", [.code, .deviceCode]), ("refresh.token", [.refreshToken]), ("refresh.url", refreshing),
        ("refresh.params", refreshing), ("refresh.rotates", refreshing), ("refresh.keep_alive", refreshing),
        ("dead_if", refreshing),
    ]

    // MARK: - Its parts

    func provider(_ keys: CheckedMapping) -> String? {
        guard let node = keys["provider"], let text = node.scalar?.text else { return nil }
        if PlugName.isOne(text) { return text }
        let help = "use lower-case letters, digits and hyphens, at most 64, such as 'google'"
        findings.error(.badID, "'\(MessageText.shortened(text))' is not an id", at: node.location, help: help)
        return nil
    }

    /// A client that the person provides.
    private func client(
        _ keys: CheckedMapping,
        _ place: OAuthSettings.ClientPlace?
    ) -> (id: Template, secret: Template?)? {
        let id = template(keys["client_id"], Self.authScope)
        let secret = template(keys["client_secret"], Self.authScope)
        checkHidden(secret, "client_secret")
        if keys.isWritten("client_secret"), !keys.isWritten("client_id") {
            let help = "add 'client_id', or leave both to the host"
            findings.error(
                .missingKey,
                "'client_secret' needs 'client_id'",
                at: keys.location("client_secret"),
                help: help
            )
        }
        if keys.isWritten("client_secret"), place == OAuthSettings.ClientPlace.none {
            let help = "remove it, or write 'client: body' or 'client: basic' in 'token'"
            findings.error(
                .grantExcludes,
                "'client: none' means that the client has no secret",
                at: keys.location("client_secret"),
                help: help
            )
        }
        return id.map { ($0, secret) }
    }

    /// An address with parameters of its own; `nil` if it is invalid.
    func address(_ entry: YAMLEntry?, _ table: KeyTable = Tables.oauthAddress) -> OAuthSettings.Address? {
        guard let entry, let keys = CheckedMapping(entry.value, table, at: entry.keyLocation, findings)
        else { return nil }
        let parameters = templates(keys["params"], Self.authScope)
        return authURL(keys["url"], "url").map { OAuthSettings.Address(url: $0, parameters: parameters) }
    }

    private func tokenAddress(_ entry: YAMLEntry?) -> OAuthSettings.TokenAddress? {
        guard let entry, let keys = CheckedMapping(entry.value, Tables.oauthToken, at: entry.keyLocation, findings)
        else { return nil }
        let parameters = templates(keys["params"], Self.authScope)
        let headers = headers(keys["headers"], Self.authScope)
        guard let url = authURL(keys["url"], "url") else { return nil }
        return OAuthSettings.TokenAddress(
            address: OAuthSettings.Address(url: url, parameters: parameters),
            client: keys.text("client").flatMap(OAuthSettings.ClientPlace.init(rawValue:)) ?? .body,
            encoding: keys.text("body").flatMap(OAuthSettings.Encoding.init(rawValue:)) ?? .form,
            headers: headers
        )
    }

    private func refresh(_ entry: YAMLEntry?) -> OAuthSettings.Refresh {
        var refresh = OAuthSettings.Refresh(
            url: nil,
            parameters: [],
            before: nil,
            rotates: nil,
            keepAlive: nil,
            token: nil
        )
        guard let entry, let keys = CheckedMapping(entry.value, Tables.oauthRefresh, at: entry.keyLocation, findings)
        else { return refresh }
        refresh.url = authURL(keys["url"], "url")
        refresh.parameters = templates(keys["params"], Self.authScope)
        refresh.before = keys.duration("before")
        refresh.rotates = keys["rotates"]?.scalar?.bool
        refresh.keepAlive = keepAlive(keys)
        refresh.token = template(keys["token"], Self.authScope)
        checkHidden(refresh.token, "refresh_token")
        return refresh
    }

    /// Nothing has to be kept alive more than once an hour, and every refresh costs the service something.
    private func keepAlive(_ keys: CheckedMapping) -> Duration? {
        guard let node = keys["keep_alive"], let duration = keys.duration("keep_alive") else { return nil }
        if duration >= .seconds(3_600) { return duration }
        findings.error(
            .badDuration,
            "a grant is kept alive at most once an hour",
            at: node.location,
            help: "write what the service says, and a little less: keep_alive: 30d"
        )
        return nil
    }

    private func assertion(_ entry: YAMLEntry?) -> OAuthSettings.Assertion? {
        guard let entry, let keys = CheckedMapping(entry.value, Tables.oauthAssertion, at: entry.keyLocation, findings)
        else { return nil }
        func members(_ key: String) -> [(name: String, value: JSONTemplate)] {
            (keys[key]?.mapping ?? []).compactMap { entry in
                jsonTemplate(entry.value, Self.authScope).map { (entry.key, $0) }
            }
        }
        let (header, claims) = (members("header"), members("claims"))
        let secret = template(keys["key"], Self.authScope)
        checkHidden(secret, "private_key")
        guard let algorithm = keys.text("algorithm").flatMap(OAuthSettings.Assertion.Algorithm.init(rawValue:)),
            let secret
        else { return nil }
        return OAuthSettings.Assertion(
            algorithm: algorithm,
            key: secret,
            header: header,
            claims: claims,
            lifetime: keys.duration("lifetime") ?? .seconds(3600)
        )
    }

    /// The values kept from answers, besides their tokens.
    private func kept(_ node: YAMLNode?) -> [(name: String, program: JQProgram)] {
        let answers = ProgramScope.answers(.answer, hasParent: false)
        return (node?.mapping ?? []).compactMap { entry in
            checkName(entry, "something kept", after: "grant")
            if !grantNames.contains(entry.key) { grantNames.append(entry.key) }
            guard Shape.program.check(entry.value, of: entry.key, findings) else { return nil }
            return program(entry.value, answers).map { (entry.key, $0) }
        }
    }

    private func fields(of entry: YAMLEntry?) -> OAuthSettings.Fields {
        var fields = OAuthSettings.Fields()
        guard let entry, let keys = CheckedMapping(entry.value, Tables.oauthFields, at: entry.keyLocation, findings)
        else { return fields }
        let answers = ProgramScope.answers(.answer, hasParent: false)
        fields.accessToken = program(keys["access_token"], answers)
        fields.refreshToken = program(keys["refresh_token"], answers)
        fields.expires = program(keys["expires"], answers)
        fields.refreshExpires = program(keys["refresh_expires"], answers)
        fields.scope = program(keys["scope"], answers)
        return fields
    }
}
