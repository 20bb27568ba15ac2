extension Tables {
    static let login = KeyTable(
        "login",
        [
            .key("request", .table(loginRequest), required: true, "The request for a session token."),
            .key("token", .program, required: true, "The token in the answer."),
            .key(
                "expires",
                .durationOrProgram,
                default: "until an answer says that it is dead",
                example: "1h",
                "How long the token lives: a duration, or a program over the answer that gives seconds or a time."
            ),
            .key("use", .table(tokenUse), default: "Authorization: Bearer", "How requests carry the token."),
            .key("dead_if", .table(deadRule), default: "401", "Which answers say that the token is dead."),
        ]
    )

    static let loginRequest = KeyTable(
        "a login request",
        [
            .key(
                "method",
                .choice([Request.Method.get, .post, .put].map(\.rawValue), refused: Request.Method.refused),
                default: "POST with a body, else GET",
                "The method."
            ),
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
                default: "header",
                "Where the token goes."
            ),
            .key("name", .text, default: "Authorization", "The name of the header or of the parameter."),
            .key("value", .template, example: "\"Token {{ token }}\"", "What is sent; {{ token }} is the token."),
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
            .key("provider", .text, default: "the plug's id", "Whose client the host uses."),
            .key("client_id", .template, default: "the provider's", "The id of a client that the person brings."),
            .key("client_secret", .template, "The secret of that client."),
            .key(
                "grant",
                .choice(OAuthSettings.Grant.allCases.map(\.rawValue)),
                default: "code",
                "How access tokens are obtained."
            ),
            .key("authorize", .table(oauthAddress), "Where the person consents in a browser."),
            .key("device", .table(oauthAddress), "Where a device code is asked for."),
            .key("token", .table(oauthToken), required: true, "Where tokens are asked for."),
            .key("refresh", .table(oauthRefresh), "How access tokens are renewed."),
            .key(
                "revoke",
                .table(oauthAddress),
                "Where a consent is revoked when the person disconnects (RFC 7009)."
            ),
            .key("scopes", .list(.template), "What is asked for."),
            .key("scope_separator", .text, default: "a space", "What separates two scopes."),
            .key("pkce", .boolean, default: "true", "Whether the consent is bound to plughost by a proof key."),
            .key("jwt", .table(oauthAssertion), "The token that is signed, with grant: jwt_bearer."),
            .key("fields", .table(oauthFields), "Where unusual answers have what is needed."),
            .key(
                "keep",
                .names(.program),
                example: "{instance: .instance_url}",
                "What else to keep of the answer with a token: templates of http.base and of requests see it as 'grant'."
            ),
            .key("dead_if", .table(deadRule), "Which answers say that the person has to connect again."),
            .key("use", .table(tokenUse), default: "Authorization: Bearer", "How requests carry the token."),
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
        "oauth2 token",
        [
            .key("url", .template, required: true, "An https URL."),
            .key(
                "client",
                .choice(OAuthSettings.ClientPlace.allCases.map(\.rawValue)),
                default: "body",
                "Where the client's id and secret go; none: there is no secret."
            ),
            .key(
                "body",
                .choice(OAuthSettings.Encoding.allCases.map(\.rawValue)),
                default: "form",
                "How parameters are sent."
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
                default: "a tenth of its life, at most 5m",
                "How long before it expires a token is renewed."
            ),
            .key("rotates", .boolean, default: "what the answers show", "Whether a refresh token works once only."),
            .key(
                "keep_alive",
                .duration,
                example: "30d",
                "A grant that was not refreshed for this long is refreshed by the host."
            ),
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
            .key("lifetime", .duration, default: "1h", "How long it is valid."),
        ]
    )

    static let oauthFields = KeyTable(
        "fields of oauth2",
        [
            .key("access_token", .program, "The access token in the answer."),
            .key("refresh_token", .program, "The refresh token."),
            .key("expires", .program, "How long the access token lives: seconds, or a time."),
            .key("refresh_expires", .program, "How long the refresh token lives: seconds, or a time."),
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
}
