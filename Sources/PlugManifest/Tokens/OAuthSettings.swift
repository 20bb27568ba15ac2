package import JQ

/// OAuth 2 as a manifest describes it (`auth.oauth2`).
package struct OAuthSettings: Sendable {
    /// How access tokens are obtained.
    package enum Grant: String, Sendable, CaseIterable {
        /// The person consents in a browser (RFC 6749 section 4.1).
        case code
        /// The person consents on another device (RFC 8628).
        case deviceCode = "device_code"
        /// The service authenticates the client itself (RFC 6749 section 4.4).
        case clientCredentials = "client_credentials"
        /// A token that the client signs represents the person (RFC 7523).
        case jwtBearer = "jwt_bearer"
        /// The person provides a refresh token in the configuration.
        case refreshToken = "refresh_token"

        /// Whether someone has to consent before the first run.
        package var needsConsent: Bool { self == .code || self == .deviceCode }
        /// Whether its tokens are renewed with a refresh token.
        package var refreshes: Bool { needsConsent || self == .refreshToken }
    }

    /// Where requests for tokens carry the client's credentials.
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
        /// `application/x-www-form-urlencoded`, as in the RFC.
        case form
        /// A JSON object.
        case json
        /// In the URL.
        case query
    }

    /// An address with parameters of its own.
    package struct Address: Sendable {
        /// An https URL, whose host need not be one of `hosts`. The output of a template is percent-encoded.
        package var url: Template
        /// Parameters sent besides those of the protocol, in file order; one with a name of the protocol's replaces its value.
        package var parameters: [(name: String, value: Template)]
    }

    /// Where tokens are requested, and how.
    package struct TokenAddress: Sendable {
        /// The URL, with parameters of its own.
        package var address: Address
        /// Where the client's credentials go.
        package var client: ClientPlace
        /// How the parameters are sent.
        package var encoding: Encoding
        /// Headers, in file order.
        package var headers: [(name: String, value: Template)]
    }

    /// How access tokens are renewed.
    package struct Refresh: Sendable {
        /// The URL, if not `token.url`.
        package var url: Template?
        /// Parameters sent besides those of the protocol, in file order.
        package var parameters: [(name: String, value: Template)]
        /// How long before it expires a token is renewed; `nil` for a tenth of its life, at most five minutes.
        package var before: Duration?
        /// Whether a refresh token works only once; `nil` to infer it from the answers.
        package var rotates: Bool?
        /// How long a grant may go without a refresh: then it is refreshed even if no run needs it. `nil` for the refresh token's
        /// lifetime as reported in answers.
        package var keepAlive: Duration?
        /// The refresh token that the person provides; only with the grant `refresh_token`.
        package var token: Template?
    }

    /// A token that the client signs.
    package struct Assertion: Sendable {
        /// The signature algorithm.
        package enum Algorithm: String, Sendable, CaseIterable {
            /// RSA, PKCS #1 v1.5, with SHA-256.
            case rs256 = "RS256"
            /// ECDSA over P-256 with SHA-256.
            case es256 = "ES256"
            /// HMAC with SHA-256.
            case hs256 = "HS256"
        }

        /// The signature algorithm.
        package var algorithm: Algorithm
        /// The key: PEM, or for HS256 the shared secret.
        package var key: Template
        /// Members of the header besides `alg` and `typ`.
        package var header: [(name: String, value: JSONTemplate)]
        /// The claims. `iat`, `exp` and `jti` are added if they are missing.
        package var claims: [(name: String, value: JSONTemplate)]
        /// How long it is valid.
        package var lifetime: Duration
    }

    /// Where an answer has members that are not in the places given by the RFC: programs over the answer, whose globals are those
    /// of `RecordGlobals.answer`.
    package struct Fields: Sendable {
        /// The access token.
        package var accessToken: JQProgram?
        /// The refresh token.
        package var refreshToken: JQProgram?
        /// How long the access token lives: a number of seconds, or a time.
        package var expires: JQProgram?
        /// How long the refresh token lives if it is not used: a number of seconds, or a time.
        package var refreshExpires: JQProgram?
        /// The scope that was granted.
        package var scope: JQProgram?
    }

    /// The provider whose client is used: the plug's id unless the manifest says otherwise.
    package var provider: String
    /// Its name, if it is one of several that a configuration chooses from.
    package var alternative: String?
    /// A client that the person provides; `nil` for the provider's.
    package var client: (id: Template, secret: Template?)?
    /// How access tokens are obtained.
    package var grant: Grant
    /// Where the browser is sent for the person's consent; with the grant `code`.
    package var authorize: Address?
    /// Where a device code is requested; with the grant `device_code`.
    package var device: Address?
    /// Where tokens are requested.
    package var token: TokenAddress
    /// How they are renewed.
    package var refresh: Refresh
    /// Where a consent is revoked (RFC 7009); `nil` if the service has no such address.
    package var revoke: Address?
    /// The scopes to request.
    package var scopes: [Template]
    /// The separator between scopes.
    package var scopeSeparator: String
    /// Whether the consent is bound to this client by a proof key (RFC 7636).
    package var usesProofKey: Bool
    /// The token to sign; with the grant `jwt_bearer`.
    package var assertion: Assertion?
    /// Where to find the members of non-standard answers.
    package var fields: Fields
    /// Which answers to a refresh say that someone has to consent again; `nil` for the error `invalid_grant`.
    package var deadIf: DeadRule?
    /// How requests carry the token; `nil` for `Authorization: Bearer`.
    package var use: TokenUse?
    /// Values of an answer with a token that are stored with it, in file order: programs whose globals are those of
    /// `RecordGlobals.answer`. Templates see them as the root `grant`.
    package var keep: [(name: String, program: JQProgram)] = []
}
