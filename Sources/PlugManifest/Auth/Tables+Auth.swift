/// How requests authenticate. Whatever needs separate requests for a token is in `Tables+Tokens`.
extension Tables {
    static let auth = KeyTable(
        "auth",
        single + [.kind("any_of", .table(anyOf), "One of several, which the configuration chooses.")],
        instead: Self.outside
    )

    /// One authorisation among several.
    static let alternative = KeyTable("an alternative of auth", single, instead: Self.outside)

    /// A stream has no tokens of its own: they belong to the connection.
    static let streamAuth = KeyTable(
        "the auth of a stream",
        direct,
        instead: Self.outside.merging(
            (AuthKind.all.filter(\.hasToken).map(\.spec.name) + ["any_of"]).map {
                ($0, "write it in the plug's own 'auth'")
            },
            uniquingKeysWith: { first, _ in first }
        )
    )

    private static let single = AuthKind.all.map(\.spec)

    /// Credentials that are put into each request without requesting anything first.
    private static let direct = AuthKind.all.filter { !$0.hasToken }.map(\.spec)

    private static let outside = [
        "jwt": "write 'oauth2: {grant: jwt_bearer, jwt: {…}, token: {url: …}}', where the service gives a token for it",
        "any": "write 'any_of: {by: …, of: {…}}'",
    ]

    static let key = KeyTable(
        "key",
        [
            .key(
                "in",
                .choice(Authorization.KeyPlace.allCases.map(\.rawValue)),
                required: true,
                "Where the key goes; body is a field of the form, or a member of the JSON body."
            ),
            .key(
                "name",
                .text,
                required: true,
                "The name of the header, parameter, field or cookie; in a JSON body a path with dots."
            ),
            .key("value", .template, required: true, "The key."),
        ]
    )

    static let anyOf = KeyTable(
        "any_of",
        [
            .key(
                "by",
                .template,
                required: true,
                example: "\"{{ config.kind }}\"",
                "What gives the name of the alternative."
            ),
            .key("of", .names(.wordOrTable(["none"], alternative)), required: true, "The alternatives by their names."),
        ]
    )
}
