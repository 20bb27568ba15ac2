package import Cryptography
package import Signing

/// Requests that are signed in a service's own way (`auth.sign`).
package struct SignSettings: Sendable {
    /// A piece of the signed message.
    package enum Part: Sendable {
        /// A text.
        case text(Template)
        /// The bytes of a text's hash.
        case hash(HashFunction, Template)
    }

    /// The signed message, piece by piece. Besides `config`, `vars` and `now` its templates see `request`.
    package var parts: [Part]
    /// The key; `nil` for a plain hash.
    package var key: Template?
    /// How the key is encoded.
    package var keyEncoding: MessageSigner.KeyEncoding
    /// The hash function.
    package var hash: HashFunction
    /// How the signature is encoded.
    package var encoding: MessageSigner.Encoding
    /// The keys to send. Their templates see `request` and `signature`.
    package var send: [Authorization.Key]

    /// The root of templates for the request that is about to be sent.
    package static let requestRoot = "request"
    /// The members of that root.
    static let ofRequest = ["method", "host", "path", "query", "target", "body", "time", "nonce", "random"]
    /// The root for the signature, in templates of the keys to send.
    package static let signatureRoot = "signature"
}

/// Requests that are signed with OAuth 1.0a (`auth.oauth1`).
package struct OAuth1Settings: Sendable {
    /// Where the parameters go.
    package enum Place: String, Sendable, CaseIterable {
        case header, query
    }

    /// A person's consent, which yields the token (RFC 5849, section 2).
    package struct Consent: Sendable {
        /// Whose consumer is used if the manifest names none: the plug's id unless the manifest says otherwise.
        package var provider: String
        /// Where temporary credentials are requested.
        package var request: OAuthSettings.Address
        /// Where the browser is sent for the consent.
        package var authorize: OAuthSettings.Address
        /// Where the token is requested.
        package var access: OAuthSettings.Address

        /// The manifest's keys for its addresses, in the order in which they are called.
        static let keys = ["request", "authorize", "access"]
    }

    /// The signature method.
    package var method: OAuth1Method
    /// The consumer, i.e. the application; `nil` for the provider's, with a consent.
    package var consumerKey: Template?
    /// Its secret; `nil` with RSA-SHA1.
    package var consumerSecret: Template?
    /// The token of the account; `nil` if the service authenticates only consumers, and with a consent.
    package var token: Template?
    /// The token's secret.
    package var tokenSecret: Template?
    /// The key in PEM, with RSA-SHA1.
    package var privateKey: Template?
    /// Where the parameters go.
    package var place: Place
    /// The realm of the header.
    package var realm: Template?
    /// How the token is obtained; `nil` if it is configured.
    package var consent: Consent?
    /// Its name, if it is one of several that a configuration chooses from.
    package var alternative: String?
}

/// Requests that are signed with AWS Signature 4 (`auth.aws`).
package struct AWSSettings: Sendable {
    /// The id of the key.
    package var accessKey: Template
    /// The key.
    package var secretKey: Template
    /// The session token of temporary keys.
    package var sessionToken: Template?
    /// The region, such as `eu-central-1`.
    package var region: Template
    /// The service, such as `s3`.
    package var service: Template
}
