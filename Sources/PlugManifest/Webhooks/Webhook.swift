package import Cryptography
package import JQ
package import Signing

/// How a service reports news (`webhook`). The call's content is never taken as data: it makes a connection due.
package struct Webhook: Sendable {
    /// A text in a header or in the query, after a prefix.
    package struct Place: Sendable, Equatable {
        /// The header's name, in lower case; `nil` if the text is in the query.
        package var header: String?
        /// The parameter's name.
        package var query: String?
        /// The text before it. If a header has several texts, separated by commas or blanks, those with the prefix count.
        package var prefix = ""

        /// Creates a place.
        package init(header: String? = nil, query: String? = nil, prefix: String = "") {
            (self.header, self.query, self.prefix) = (header, query, prefix)
        }
    }

    /// A piece of the signed message.
    package enum Piece: Sendable, Equatable {
        /// A text in the manifest.
        case text(String)
        /// The body, byte for byte.
        case body
        /// The text in `timestamp`.
        case timestamp
        /// The text in `id`.
        case id
    }

    /// An HMAC over the call, with a key shared by the service and the host.
    package struct HMACCheck: Sendable {
        /// The hash.
        package var algorithm: HashFunction
        /// How the key is encoded.
        package var keyEncoding: MessageSigner.KeyEncoding
        /// How the code is encoded.
        package var encoding: MessageSigner.Encoding
        /// Where the code is.
        package var signature: Place
        /// The signed message.
        package var signed: [Piece]
        /// When the call was made, in seconds since 1970; `nil` if the service does not send it.
        package var timestamp: Place?
        /// The id that tells calls apart; `nil` if the service does not send one.
        package var id: Place?
        /// How old a call may be, and how far ahead of the local clock.
        package var tolerance: Duration
    }

    /// How to verify that a call comes from the service.
    package enum Verification: Sendable {
        /// By an HMAC over the call.
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

    /// How to verify that a call comes from the service.
    package var verification: Verification
    /// The host's provider whose `client_secret` is the key, or the secret.
    package var provider: String
    /// Whose account a call is about: texts, numbers, or lists of them. `nil` for all connections of the plug.
    package var who: JQProgram?
    /// What the accounts are compared with.
    package var account: Account
    /// The answer to a handshake; `nil`, or no output, if the call is not one.
    package var answer: JQProgram?

    /// What programs over calls see besides the body: `headers`, with names in lower case, and `query`.
    package static let globals = ["headers", "query"]
}
