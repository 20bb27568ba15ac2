package import Cryptography
package import JQ
package import Signing

/// How a service tells that something is new (`webhook`). What it says is never taken as data: it makes a connection due.
package struct Webhook: Sendable {
    /// A text in a header or in the query, behind a prefix.
    package struct Place: Sendable, Equatable {
        /// The header's name, in lower case; `nil` where it stands in the query.
        package var header: String?
        /// The parameter's name.
        package var query: String?
        /// What stands before the text. Where a header has several texts, divided by commas or blanks, those with the prefix
        /// count.
        package var prefix = ""

        /// A place.
        package init(header: String? = nil, query: String? = nil, prefix: String = "") {
            (self.header, self.query, self.prefix) = (header, query, prefix)
        }
    }

    /// A piece of what is signed.
    package enum Piece: Sendable, Equatable {
        /// A text of the manifest.
        case text(String)
        /// The body, byte for byte.
        case body
        /// The text in `timestamp`.
        case timestamp
        /// The text in `id`.
        case id
    }

    /// A code over the call with a key that the service and the host have.
    package struct HMACCheck: Sendable {
        /// The hash.
        package var algorithm: HashFunction
        /// How the key is written.
        package var keyEncoding: MessageSigner.KeyEncoding
        /// How the code is written.
        package var encoding: MessageSigner.Encoding
        /// Where it stands.
        package var signature: Place
        /// What is signed.
        package var signed: [Piece]
        /// When the call was made, in seconds since 1970; `nil` where the service does not say it.
        package var timestamp: Place?
        /// What tells one call from another; `nil` where the service does not say it.
        package var id: Place?
        /// How old a call may be, and how far ahead of our time.
        package var tolerance: Duration
    }

    /// How to verify that the service has called.
    package enum Verification: Sendable {
        /// By a code over the call.
        case hmac(HMACCheck)
        /// By a secret that is sent with each call.
        case token(Place)
    }

    /// What the account of a call is compared with.
    package enum Account: Sendable, Equatable {
        /// With the name that `check.who` found.
        case label
        /// With the person's answer to a config key.
        case config(String)
    }

    /// How to verify that the service has called.
    package var verification: Verification
    /// The provider of the host whose `client_secret` is the key, or the secret.
    package var provider: String
    /// Whose account a call is about: texts, numbers, or lists of them. `nil` for all connections of the plug.
    package var who: JQProgram?
    /// What these are compared with.
    package var account: Account
    /// What a handshake is answered with; `nil` and no output for what is none.
    package var answer: JQProgram?

    /// What programs over calls see beside the body: `headers`, with names in lower case, and `query`.
    package static let globals = ["headers", "query"]
}
