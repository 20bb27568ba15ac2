package import Cryptography
package import Signing

/// Requests that are signed in a service's own way (`auth.sign`).
package struct SignSettings: Sendable {
    /// A piece of what is signed.
    package enum Part: Sendable {
        /// A text.
        case text(Template)
        /// The bytes of a text's hash.
        case hash(HashFunction, Template)
    }

    /// What is signed, piece after piece. Beside `config`, `vars` and `now` its templates see `request`.
    package var parts: [Part]
    /// The key; `nil` for a mere hash.
    package var key: Template?
    /// How the key is written.
    package var keyEncoding: MessageSigner.KeyEncoding
    /// What is signed with.
    package var hash: HashFunction
    /// How the signature is written.
    package var encoding: MessageSigner.Encoding
    /// What is sent. Its templates see `request` and `signature`.
    package var send: [Authorization.Key]

    /// The roots of templates about a request that is about to go out.
    package static let requestRoot = "request"
    /// What that root has.
    static let ofRequest = ["method", "host", "path", "query", "target", "body", "time", "nonce", "random"]
    /// The root of what is sent.
    package static let signatureRoot = "signature"
}

/// Requests that are signed with OAuth 1.0a (`auth.oauth1`).
package struct OAuth1Settings: Sendable {
    /// Where the parameters go.
    package enum Place: String, Sendable, CaseIterable {
        case header, query
    }

    /// A person's consent, which gives the token (RFC 5849, section 2).
    package struct Consent: Sendable {
        /// Whose consumer is used where the manifest names none: the plug's id unless the manifest says otherwise.
        package var provider: String
        /// Where temporary credentials are asked for.
        package var request: OAuthSettings.Address
        /// Where a browser goes for the consent.
        package var authorize: OAuthSettings.Address
        /// Where the token is asked for.
        package var access: OAuthSettings.Address

        /// The keys of a manifest for its addresses, in the order in which they are asked.
        static let keys = ["request", "authorize", "access"]
    }

    /// How.
    package var method: OAuth1Method
    /// The consumer: the application; `nil` for the provider's, with a consent.
    package var consumerKey: Template?
    /// Its secret; `nil` with RSA-SHA1.
    package var consumerSecret: Template?
    /// Whose data it is; `nil` where a service knows consumers alone, and with a consent.
    package var token: Template?
    /// The token's secret.
    package var tokenSecret: Template?
    /// PEM, with RSA-SHA1.
    package var privateKey: Template?
    /// Where the parameters go.
    package var place: Place
    /// The realm of the header.
    package var realm: Template?
    /// What gives the token; `nil` where it is configured.
    package var consent: Consent?
    /// Its name, where it is one of several that a configuration chooses from.
    package var alternative: String?
}

/// Requests that are signed with AWS Signature 4 (`auth.aws`).
package struct AWSSettings: Sendable {
    /// The id of the key.
    package var accessKey: Template
    /// The key.
    package var secretKey: Template
    /// With keys that live for a time only.
    package var sessionToken: Template?
    /// `eu-central-1`.
    package var region: Template
    /// `s3`.
    package var service: Template
}
