extension Tables {
    static let login = KeyTable(
        "login",
        [
            .key("request", .table(loginRequest), required: true, "The request for a session token."),
            .key("token", .program, required: true, "The token in the answer."),
            .key(
                "expires",
                .program,
                "How long the token lives: a duration such as 1h, or a program over the answer that gives seconds or a time."
            ),
            .key("use", .table(tokenUse), "How requests carry the token; default: Authorization: Bearer."),
            .key("dead_if", .table(deadRule), "Which answers say that the token is dead; default: 401."),
        ]
    )

    static let loginRequest = KeyTable(
        "a login request",
        [
            .key("method", .choice(Request.Method.allCases.map(\.rawValue)), "Default: POST with a body, else GET."),
            .key("path", .template, required: true, "A URL, or a path below http.base."),
            .key("query", .names(.template), "Query parameters."),
            .key("headers", .names(.template), "Headers, in addition to those of http."),
            .key("json", .anything, "A JSON body; its texts may be templates."),
            .key("form", .names(.template), "A form as the body."),
        ]
    )

    static let tokenUse = KeyTable(
        "use",
        [
            .key(
                "in",
                .choice(Authorization.KeyPlace.allCases.map(\.rawValue)),
                "Where the token goes; default: header."
            ),
            .key("name", .text, "The name of the header or of the parameter; default: Authorization."),
            .key("value", .template, "What is sent; {{ token }} is the token."),
        ]
    )

    static let deadRule = KeyTable(
        "dead_if",
        [
            .key("status", .list(.text, orOne: true), "A status such as 403, a class such as 4xx, or a list."),
            .key("if", .program, "A program over the body; anything but false or null means yes."),
        ]
    )

    static let oauth2 = KeyTable(
        "oauth2",
        [
            .key("provider", .text, "Whose client the host uses; default: the plug's id."),
            .key("client_id", .template, "The id of a client that the person brings; default: the provider's."),
            .key("client_secret", .template, "The secret of that client."),
            .key(
                "grant",
                .choice(OAuthSettings.Grant.allCases.map(\.rawValue)),
                "How access tokens are obtained; default: code."
            ),
            .key("authorize", .table(oauthAddress), "Where the person consents in a browser."),
            .key("device", .table(oauthAddress), "Where a device code is asked for."),
            .key("token", .table(oauthToken), required: true, "Where tokens are asked for."),
            .key("refresh", .table(oauthRefresh), "How access tokens are renewed."),
            .key("scopes", .list(.template), "What is asked for."),
            .key("scope_separator", .text, "What stands between two scopes; default: a space."),
            .key("pkce", .boolean, "Whether the consent is bound to us by a proof key; default: true."),
            .key("jwt", .table(oauthAssertion), "The token that is signed, with grant: jwt_bearer."),
            .key("fields", .table(oauthFields), "Where odd answers have what is needed."),
            .key("dead_if", .table(deadRule), "Which answers say that the person has to connect again."),
            .key("use", .table(tokenUse), "How requests carry the token; default: Authorization: Bearer."),
        ]
    )

    static let oauthAddress = KeyTable(
        "an address of oauth2",
        [
            .key("url", .template, required: true, "An https URL."),
            .key("params", .names(.template), "Parameters beside those of the protocol."),
        ]
    )

    static let oauthToken = KeyTable(
        "oauth2.token",
        [
            .key("url", .template, required: true, "An https URL."),
            .key(
                "client",
                .choice(OAuthSettings.ClientPlace.allCases.map(\.rawValue)),
                "Where the client's id and secret go; none: there is no secret. Default: body."
            ),
            .key(
                "body",
                .choice(OAuthSettings.Encoding.allCases.map(\.rawValue)),
                "How parameters are sent; default: form."
            ),
            .key("params", .names(.template), "Parameters beside those of the protocol."),
            .key("headers", .names(.template), "Headers."),
        ]
    )

    static let oauthRefresh = KeyTable(
        "refresh",
        [
            .key("url", .template, "Another https URL than the token's."),
            .key("params", .names(.template), "Parameters beside those of the protocol."),
            .key(
                "before",
                .duration,
                "How long before its end a token is renewed; default: a tenth of its life, at most 5m."
            ),
            .key("rotates", .boolean, "Whether a refresh token works once only; default: what the answers show."),
            .key("token", .template, "The refresh token that the person gives, with grant: refresh_token."),
        ]
    )

    static let oauthAssertion = KeyTable(
        "jwt",
        [
            .key(
                "algorithm",
                .choice(OAuthSettings.Assertion.Algorithm.allCases.map(\.rawValue)),
                required: true,
                "What it is signed with."
            ),
            .key("key", .template, required: true, "The private key as PEM, or the shared secret."),
            .key("header", .names(.anything), "Members of its header beside alg and typ."),
            .key("claims", .names(.anything), "The claims; iat, exp and jti are added."),
            .key("lifetime", .duration, "How long it is valid; default: 1h."),
        ]
    )

    static let oauthFields = KeyTable(
        "fields of oauth2",
        [
            .key("access_token", .program, "The access token in the answer."),
            .key("refresh_token", .program, "The refresh token."),
            .key("expires", .program, "How long the access token lives: seconds, or a time."),
            .key("scope", .program, "What was granted."),
        ]
    )

    static let check = KeyTable(
        "check",
        [
            .kind("stream", .text, "The stream whose first page is read."),
            .kind("request", .table(request), "The request that is sent."),
            .key("who", .program, "The account's name, in the first record or in the answer."),
        ]
    )

    /// The tables above.
    static let tokens = [
        login, loginRequest, tokenUse, deadRule, oauth2, oauthAddress, oauthToken, oauthRefresh, oauthAssertion,
        oauthFields, check,
    ]
}
