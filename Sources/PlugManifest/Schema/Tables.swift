/// The manifest language, `api: 1`.
enum Tables {
    private static let inStream = "write it in a stream, or in 'defaults' for all"
    private static let inHTTP = "write it in 'http'"
    private static let inAuth = "write it in 'auth'"

    static let manifest = KeyTable(
        "a manifest",
        [
            .key("plug", .text, required: true, "The plug's id: lower-case letters, digits and hyphens."),
            .key("api", .integer(1...1), required: true, "The version of the manifest language; there is one, 1."),
            .key("version", .text, required: true, example: "1.0.0", "The version of this plug: three numbers."),
            .key("released", .text, example: "\"2026-11-21\"", "The date on which this version was released."),
            .key(
                "status",
                .table(status),
                "Who can still use the service, if not everybody can. A plug without it is for everybody."
            ),
            .key("namespace", .text, default: "the id", "The one PDA namespace that the plug may write to."),
            .key(
                "hosts",
                .list(.text),
                required: true,
                example: "[api.example.org, \"*.example.org\"]",
                "Where requests, next links and redirects may go: host, host:port, *.domain or \"{{ config.KEY }}\"."
            ),
            .key(
                "application",
                .table(application),
                "The HATApplicationObject, with its own keys; what can be derived may be left out."
            ),
            .key("config", .names(.table(configField)), "What to ask the person who sets the plug up."),
            .key("vars", .names(.template), "Named values, rendered once for each run."),
            .key("auth", .wordOrTable(["none"], auth), default: "none", "How requests are authenticated."),
            .key("check", .table(check), "How to find out whether the account can be read, and whose it is."),
            .key(
                "webhook",
                .table(webhook),
                "How the service reports that something is new, so that it is read at once."
            ),
            .key("http", .table(http), "Settings for all requests."),
            .key(
                "exec",
                .table(exec),
                "A program that reads the source instead of requests: one that writes Singer messages."
            ),
            .key("defaults", .table(defaults), "Defaults for all streams."),
            .key("streams", .names(.table(stream)), required: true, "The kinds of records that the plug reads."),
        ],
        instead: [
            "title": "write 'application: {info: {name: …}}'",
            "name": "write 'application: {info: {name: …}}'",
            "description": "write 'application: {info: {description: {text: …}}}'",
            "icon": "write 'application: {info: {graphics: {logo: {normal: …}}}}'",
            "docs": "write 'application: {developer: {url: …}}'",
            "page": inStream, "since": inStream, "records": inStream, "decode": inStream, "map": inStream,
            "key": inStream,
            "request": inStream, "headers": inHTTP, "on": inHTTP, "base": inHTTP, "limits": inHTTP, "oauth2": inAuth,
            "login": inAuth, "bearer": inAuth, "basic": inAuth,
        ]
    )

    static let status = KeyTable(
        "status",
        [
            .key(
                "state",
                .choice(ServiceStatus.State.allCases.map(\.rawValue)),
                required: true,
                "closed: nobody new can connect. limited: only some people can."
            ),
            .key("text", .text, required: true, "What a person has to know before they connect."),
            .key("successor", .text, example: "google-health", "The id of the plug to use instead."),
        ]
    )

    static let configField = KeyTable(
        "a config key",
        [
            .key("type", .choice(ConfigField.Kind.allCases.map(\.rawValue)), required: true, "The type of the value."),
            .key("enum", .list(.anything), "The only values allowed."),
            .key("default", .anything, "The value used when the person gives none."),
            .key(
                "secret",
                .boolean,
                default: "false",
                "Whether the value is secret: never shown, never stored unencrypted."
            ),
            .key(
                "optional",
                .boolean,
                default: "false, but true for secrets beside auth.any_of",
                "Whether the plug works without an answer, as in `{{ config.key // null }}`."
            ),
            .key("title", .text, "The question to ask."),
        ],
        instead: ["description": "write 'title'"]
    )

    /// Every table, outermost first.
    static let all = manifest.withInnerTables
}
