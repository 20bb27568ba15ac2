/// The manifest language, `api: 1`.
enum Tables {
    static let manifest = KeyTable(
        "a manifest",
        [
            .key("plug", .text, required: true, "The plug's id: lower-case letters, digits and hyphens."),
            .key("api", .integer(1...1), required: true, "The version of the manifest language; always 1."),
            .key("version", .text, required: true, "The version of this plug, n.n.n."),
            .key("released", .text, "The date on which this version was released, such as \"2026-11-21\"."),
            .key("namespace", .text, "The one PDA namespace that the plug may write to; default: the id."),
            .key(
                "hosts",
                .list(.text),
                required: true,
                "Where requests, next links and redirects may go: host, host:port, *.domain or \"{{ config.KEY }}\"."
            ),
            .key(
                "application",
                .anything,
                "The HATApplicationObject, with its own keys; what can be derived may be left out."
            ),
            .key("config", .names(.table(configField)), "What to ask the person who sets the plug up."),
            .key("vars", .names(.template), "Named values, rendered once for each run."),
            .key("auth", .wordOrTable(["none"], auth), "How requests are authenticated."),
            .key("check", .table(check), "How to find out whether the account can be read, and whose it is."),
            .key("http", .table(http), "Settings for all requests."),
            .key("streams", .names(.table(stream)), required: true, "The kinds of records that the plug reads."),
        ] + KeySpec.later("title", "description", "docs", "icon", "categories", "defaults")
    )

    static let configField = KeyTable(
        "a config key",
        [
            .key("type", .choice(ConfigField.Kind.allCases.map(\.rawValue)), required: true, "The type of the value."),
            .key("enum", .list(.anything), "The only values allowed."),
            .key("default", .anything, "The value used when the person gives none."),
            .key("secret", .boolean, "Whether the value is secret: never shown, never stored unencrypted."),
            .key("title", .text, "The question to ask."),
        ] + KeySpec.later("description", "pattern", "minimum", "maximum")
    )

    static let auth = KeyTable(
        "auth",
        [
            .kind("bearer", .table(bearer), "A token in the Authorization header."),
            .kind("basic", .table(basic), "A user name and a password in the Authorization header."),
            .kind("key", .table(key), "A key in a header or in the query."),
            .kind("login", .table(login), "A session token, which a request gives."),
            .kind("oauth2", .table(oauth2), "OAuth 2."),
        ] + KeySpec.later("oauth1", "jwt")
    )

    /// Every table.
    static let all =
        [
            manifest, configField, auth, bearer, basic, key, http, limit, retry, rule, stream, request, page, since,
            bound,
            forEach, test,
        ] + tokens + PagingKey.all.compactMap(\.table)

    static let bearer = KeyTable("bearer", [.key("token", .template, required: true, "The token.")])
    static let basic = KeyTable(
        "basic",
        [
            .key("username", .template, required: true, "The user name."),
            .key("password", .template, required: true, "The password."),
        ]
    )
    static let key = KeyTable(
        "key",
        [
            .key("in", .choice(Authorization.KeyPlace.allCases.map(\.rawValue)), required: true, "Where the key goes."),
            .key("name", .text, required: true, "The name of the header or of the query parameter."),
            .key("value", .template, required: true, "The key."),
        ]
    )

    static let http = KeyTable(
        "http",
        [
            .key("base", .template, "The URL that relative paths are resolved against."),
            .key("headers", .names(.template), "Headers of every request."),
            .key("timeout", .duration, "How long to wait for an answer; default: 30s."),
            .key("max_body", .size, "The largest answer, decompressed; default: 16MiB."),
            .key("limits", .list(.table(limit)), "Limits for the rate and the number of requests."),
            .key("retry", .table(retry), "How failed requests are retried."),
            .key("on", .list(.table(rule)), "What to do with answers of a given status; the first match wins."),
            .key("error", .program, "The service's own message in the body of an error answer."),
        ] + KeySpec.later("quota_headers")
    )

    static let limit = KeyTable(
        "a limit",
        [
            .kind("rate", .rate, "A number of requests per time, such as 180/60s."),
            .kind("concurrency", .integer(1...64), "How many requests may run at once, in each process."),
            .key("burst", .integer(1...1_000_000), "How many may be sent at once; default: the number in the rate."),
        ] + KeySpec.later("match")
    )
    static let retry = KeyTable(
        "retry",
        [
            .key("tries", .integer(1...20), "How many attempts a request gets; default: 5."),
            .key("max_wait", .duration, "The longest wait before a retry; a longer one ends the run. Default: 15m."),
        ]
    )
    static let rule = KeyTable(
        "a rule",
        [
            .key(
                "status",
                .list(.text, orOne: true),
                required: true,
                "A status such as 404, a class such as 5xx, or a list."
            ),
            .key(
                "if",
                .program,
                "A program over the body; the rule applies if it gives something other than false or null."
            ),
            .key("do", .choice(StatusRule.Action.allCases.map(\.rawValue)), required: true, "What to do."),
        ] + KeySpec.later("wait", "as", "message")
    )
}
