package import JQ

/// OAuth 2 as a manifest describes it (`auth.oauth2`).
package struct OAuthSettings: Sendable {
    /// How access tokens are obtained.
    package enum Grant: String, Sendable, CaseIterable {
        /// The person consents in a browser (RFC 6749 section 4.1).
        case code
        /// The person consents on another device (RFC 8628).
        case deviceCode = "device_code"
        /// The client itself is whom the service knows (RFC 6749 section 4.4).
        case clientCredentials = "client_credentials"
        /// A token that the client signs stands for the person (RFC 7523).
        case jwtBearer = "jwt_bearer"
        /// The person gives a refresh token in the configuration.
        case refreshToken = "refresh_token"

        /// Whether somebody has to consent before the first run.
        package var needsConsent: Bool { self == .code || self == .deviceCode }
        /// Whether its tokens are renewed with a refresh token.
        package var refreshes: Bool { needsConsent || self == .refreshToken }
    }

    /// Where the client proves that it is the client, in requests for tokens.
    package enum ClientPlace: String, Sendable, CaseIterable {
        /// Id and secret in the body.
        case body
        /// Id and secret as HTTP Basic.
        case basic
        /// It has no secret: only the id, in the body.
        case none
    }

    /// How the parameters of a request for tokens are sent.
    package enum Encoding: String, Sendable, CaseIterable {
        /// `application/x-www-form-urlencoded`, as the RFC has it.
        case form
        /// A JSON object.
        case json
        /// In the URL.
        case query
    }

    /// An address with parameters of its own.
    package struct Address: Sendable {
        /// An https URL, whose host need not be one of `hosts`. What a template gives is percent-encoded.
        package var url: Template
        /// What is sent beside the parameters of the protocol, in file order; a name of the protocol's replaces its value.
        package var parameters: [(name: String, value: Template)]
    }

    /// Where tokens are asked for, and how.
    package struct TokenAddress: Sendable {
        /// Where, and with which parameters of its own.
        package var address: Address
        /// Where the client proves that it is the client.
        package var client: ClientPlace
        /// How the parameters are sent.
        package var encoding: Encoding
        /// Headers, in file order.
        package var headers: [(name: String, value: Template)]
    }

    /// How access tokens are renewed.
    package struct Refresh: Sendable {
        /// Where, if not at `token.url`.
        package var url: Template?
        /// What is sent beside the parameters of the protocol, in file order.
        package var parameters: [(name: String, value: Template)]
        /// How long before its end a token is renewed; `nil` for a tenth of its life, five minutes at most.
        package var before: Duration?
        /// Whether a refresh token works once only; `nil` for what the answers show.
        package var rotates: Bool?
        /// How long a grant may go without a refresh: then it is refreshed although no run needs it. `nil` for as long as answers
        /// say that the refresh token lives.
        package var keepAlive: Duration?
        /// The refresh token that the person gives; only with the grant `refresh_token`.
        package var token: Template?
    }

    /// A token that the client signs.
    package struct Assertion: Sendable {
        /// What it is signed with.
        package enum Algorithm: String, Sendable, CaseIterable {
            /// RSA, PKCS #1 v1.5, with SHA-256.
            case rs256 = "RS256"
            /// ECDSA over P-256 with SHA-256.
            case es256 = "ES256"
            /// HMAC with SHA-256.
            case hs256 = "HS256"
        }

        /// What it is signed with.
        package var algorithm: Algorithm
        /// The key: PEM, or for HS256 the shared secret.
        package var key: Template
        /// Members of the header beside `alg` and `typ`.
        package var header: [(name: String, value: JSONTemplate)]
        /// The claims. `iat`, `exp` and `jti` are added where they are missing.
        package var claims: [(name: String, value: JSONTemplate)]
        /// How long it is valid.
        package var lifetime: Duration
    }

    /// Where members of an answer stand that are not where the RFC has them: programs over the answer, whose globals are
    /// those of `RecordGlobals.answer`.
    package struct Fields: Sendable {
        /// The access token.
        package var accessToken: JQProgram?
        /// The refresh token.
        package var refreshToken: JQProgram?
        /// How long the access token lives: a number of seconds, or a time.
        package var expires: JQProgram?
        /// How long the refresh token lives if nobody uses it: a number of seconds, or a time.
        package var refreshExpires: JQProgram?
        /// What was granted.
        package var scope: JQProgram?
    }

    /// Whose client is used: the plug's id unless the manifest says otherwise.
    package var provider: String
    /// Its name, where it is one of several that a configuration chooses from.
    package var alternative: String?
    /// A client that the person brings; `nil` for the provider's.
    package var client: (id: Template, secret: Template?)?
    /// How access tokens are obtained.
    package var grant: Grant
    /// Where a browser goes for the person's consent; with the grant `code`.
    package var authorize: Address?
    /// Where a device code is asked for; with the grant `device_code`.
    package var device: Address?
    /// Where tokens are asked for.
    package var token: TokenAddress
    /// How they are renewed.
    package var refresh: Refresh
    /// Where a consent is taken back (RFC 7009); `nil` where the service has no such address.
    package var revoke: Address?
    /// What is asked for.
    package var scopes: [Template]
    /// What separates two scopes.
    package var scopeSeparator: String
    /// Whether the consent is bound to this client by a proof key (RFC 7636).
    package var usesProofKey: Bool
    /// What is signed; with the grant `jwt_bearer`.
    package var assertion: Assertion?
    /// Where unusual answers have what is needed.
    package var fields: Fields
    /// Which answers to a refresh say that somebody has to consent again; `nil` for the error `invalid_grant`.
    package var deadIf: DeadRule?
    /// How requests carry the token; `nil` for `Authorization: Bearer`.
    package var use: TokenUse?
    /// What of an answer with a token is kept beside it, in file order: programs whose globals are those of
    /// `RecordGlobals.answer`. Templates see it as the root `grant`.
    package var keep: [(name: String, program: JQProgram)] = []
}
