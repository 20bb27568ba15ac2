/// The manifest language, `api: 1`.
enum Tables {
    static let manifest = KeyTable(
        "a manifest",
        [
            .key("plug", .text, required: true, "The plug's id: lower-case letters, digits and hyphens."),
            .key("api", .integer(1...1), required: true, "The version of the manifest language; always 1."),
            .key("version", .text, required: true, "The version of this plug, n.n.n."),
            .key("released", .text, "The day on which this version was released, such as \"2026-11-21\"."),
            .key("namespace", .text, "The one PDA namespace that the plug may write to; the id unless it is given."),
            .key(
                "hosts",
                .list(.text),
                required: true,
                "Where requests, next links and redirects may go: host, host:port, *.domain or \"{{ config.KEY }}\"."
            ),
            .key(
                "application",
                .anything,
                "The HATApplicationObject in its own keys; what can be derived may be left out."
            ),
            .key("config", .names(.table(configField)), "What the person who sets the plug up is asked for."),
            .key("vars", .names(.template), "Named values, rendered once for each run."),
            .key("auth", .wordOrTable(["none"], auth), "How requests prove who asks."),
            .key("http", .table(http), "What all requests share."),
            .key("streams", .names(.table(stream)), required: true, "The kinds of records that the plug reads."),
        ] + KeySpec.later("title", "description", "docs", "icon", "categories", "check", "defaults")
    )

    static let configField = KeyTable(
        "a config key",
        [
            .key("type", .choice(ConfigField.Kind.allCases.map(\.rawValue)), required: true, "What it may hold."),
            .key("enum", .list(.anything), "The only values allowed."),
            .key("default", .anything, "The value used when the person gives none."),
            .key("secret", .boolean, "Whether it must never be shown or stored in the clear."),
            .key("title", .text, "How the question reads."),
        ] + KeySpec.later("description", "pattern", "minimum", "maximum")
    )

    static let auth = KeyTable(
        "auth",
        [
            .kind("bearer", .table(bearer), "A token in the Authorization header."),
            .kind("basic", .table(basic), "A user name and a password in the Authorization header."),
            .kind("key", .table(key), "A key in a header or in the query."),
        ] + KeySpec.later("oauth2", "oauth1", "login", "jwt")
    )

    /// Every table.
    static let all = [
        manifest, configField, auth, bearer, basic, key, http, limit, retry, rule, stream, request, page, number,
        offset, cursor,
        since, bound, forEach, test,
    ]

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
            .key("base", .template, "What relative paths are resolved against."),
            .key("headers", .names(.template), "Headers of every request."),
            .key("timeout", .duration, "How long a request may take without an answer; 30s unless it is given."),
            .key("max_body", .size, "How large an answer may be, decompressed; 16MiB unless it is given."),
            .key("limits", .list(.table(limit)), "Rates and numbers of requests that must not be exceeded."),
            .key("retry", .table(retry), "How failed requests are tried again."),
            .key("on", .list(.table(rule)), "What to do with answers of some status; the first that matches wins."),
            .key("error", .program, "The service's own words in the body of an answer that means an error."),
        ] + KeySpec.later("quota_headers")
    )

    static let limit = KeyTable(
        "a limit",
        [
            .kind("rate", .rate, "So many requests in so much time."),
            .kind("concurrency", .integer(1...64), "How many requests may be under way at once, in each process."),
            .key("burst", .integer(1...1_000_000), "How many may go out at once; the whole count unless it is given."),
        ] + KeySpec.later("match")
    )
    static let retry = KeyTable(
        "retry",
        [
            .key("tries", .integer(1...20), "How often a request is sent in all; 5 unless it is given."),
            .key("max_wait", .duration, "The longest wait that is sat out; 15m unless it is given."),
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
            .key("if", .program, "A program over the body that must give something other than false or null."),
            .key("do", .choice(StatusRule.Action.allCases.map(\.rawValue)), required: true, "What to do."),
        ] + KeySpec.later("wait", "as", "message")
    )
}
