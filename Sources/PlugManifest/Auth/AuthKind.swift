/// A way to authenticate, as `auth` names it: its key, and how it is read. A new one is a row of `all`, a case of `Authorization`, and
/// what `Credentials` of PlugFetch makes of it.
struct AuthKind: Sendable {
    /// Where an `auth` is written.
    struct Site: Sendable {
        /// The plug's id, for whatever is named after it; `nil` for a stream's own.
        var plug: String?
        /// Whether there is an `http.base`.
        var hasBase: Bool
    }

    /// Its key.
    let spec: KeySpec
    /// Whether it requests a token first. Tokens belong to the connection, so a stream has none of its own.
    let hasToken: Bool
    /// Reads it; `nil` if it is invalid.
    let read: @Sendable (ManifestBuilder, YAMLEntry, Site) -> Authorization?

    static let all = [
        kind("bearer", .table(Tables.bearer), "A token in the Authorization header.") { builder, entry, _ in
            builder.bearer(entry)
        },
        kind("basic", .table(Tables.basic), "A user name and a password in the Authorization header.") {
            builder,
            entry,
            _ in
            builder.basic(entry)
        },
        kind(
            "key",
            .list(.table(Tables.key), orOne: true),
            "A key in a header, in the query, in the body or in a cookie; or a list of such keys."
        ) { builder, entry, _ in
            builder.keys(entry, ManifestBuilder.authScope).map { .keys($0) }
        },
        kind("sign", .table(Tables.sign), "A signature of each request, in a service's own way.") { builder, entry, _ in
            builder.sign(entry)
        },
        kind("oauth1", .table(Tables.oauth1), "A signature of each request, with OAuth 1.0a.") { builder, entry, site in
            builder.oauth1(entry, plug: site.plug)
        },
        kind("aws", .table(Tables.aws), "A signature of each request, with AWS Signature 4.") { builder, entry, _ in
            builder.aws(entry)
        },
        kind("login", .table(Tables.login), "A session token, which a request gives.", hasToken: true) {
            builder,
            entry,
            site in
            builder.login(entry, hasBase: site.hasBase)
        },
        kind("oauth2", .table(Tables.oauth2), "OAuth 2.", hasToken: true) { builder, entry, site in
            builder.oauth2(entry, plug: site.plug)
        },
    ]

    private static func kind(
        _ key: String,
        _ shape: Shape,
        _ help: String,
        hasToken: Bool = false,
        _ read: @escaping @Sendable (ManifestBuilder, YAMLEntry, Site) -> Authorization?
    ) -> AuthKind {
        AuthKind(spec: .kind(key, shape, help), hasToken: hasToken, read: read)
    }
}

extension Tables {
    fileprivate static let bearer = KeyTable("bearer", [.key("token", .template, required: true, "The token.")])
    fileprivate static let basic = KeyTable(
        "basic",
        [
            .key("username", .template, required: true, "The user name."),
            .key("password", .template, required: true, "The password."),
        ]
    )
}

extension ManifestBuilder {
    fileprivate func bearer(_ kind: YAMLEntry) -> Authorization? {
        let bearer = CheckedMapping(kind.value, Tables.bearer, at: kind.keyLocation, findings)
        return header(bearer?["token"], Self.authScope).map { .bearer($0) }
    }

    fileprivate func basic(_ kind: YAMLEntry) -> Authorization? {
        guard let basic = CheckedMapping(kind.value, Tables.basic, at: kind.keyLocation, findings) else { return nil }
        let username = template(basic["username"], Self.authScope)
        let password = template(basic["password"], Self.authScope)
        guard let username, let password else { return nil }
        return .basic(username: username, password: password)
    }
}
