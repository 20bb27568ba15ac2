internal import Cryptography
internal import PlugCore

/// A service that gives tokens and looks at them, in memory: it follows the standards strictly, and misbehaves on request.
///
/// It is written against the RFCs and not against our client. It decides without I/O, so that a simulation can use it as
/// well as a server (`OAuthServer`). Its addresses are `/authorize`, `/device`, `/token`, `/revoke`, and `/me` and `/items`
/// for who has a token.
package struct OAuthService: Sendable {
    /// What the service does wrong, once, at its next request for a token.
    package enum Fault: Sendable, Equatable {
        /// Ends the connection without having done anything.
        case reset
        /// Gives tokens, which makes a rotated refresh token worthless, and then ends the connection.
        case resetAfterGiving
        /// Takes the request and never answers.
        case hang
        /// Answers with a page for people.
        case page(status: Int)
        /// Answers with an error, also with a status of success.
        case error(String, status: Int)
        /// Answers with a status and nothing else.
        case status(Int, retryAfter: String?)
        /// Answers with this body.
        case body(String)
    }

    /// What a client is known by.
    package var client: (id: String, secret: String?) = ("client", "s3cr3t")
    /// Whether the client's proof has to be a header; else it has to be in the body.
    package var wantsBasic = false
    /// Whether each refresh gives a new refresh token and makes the old one worthless.
    package var rotates = true
    /// Whether a refresh token that was used before takes all tokens of its consent with it (RFC 9700, section 4.14.2).
    package var revokesWhenReused = true
    /// Whether consents without a proof key are refused.
    package var needsProofKey = true
    /// The JSON of `expires_in`; `nil` for none.
    package var expiresIn: String? = "3600"
    /// The scope that answers name; `nil` for that which was asked for.
    package var scope: String?
    /// Whether answers name a scope at all.
    package var namesScope = true
    /// Whether answers are forms.
    package var answersWithForms = false
    /// Whether the person consents.
    package var consents = true
    /// What `iss` says in the answer of a consent; `nil` for nothing.
    package var issuer: String?
    /// The errors of requests for a device's token, one after another; then it is given.
    package var deviceErrors: [String] = []
    /// Seconds between two questions of a device.
    package var deviceInterval = 5
    /// Whether an assertion is good (RFC 7523).
    package var verifies: @Sendable (_ assertion: String) -> Bool = { _ in false }
    /// What goes wrong, one for each request for a token.
    package var faults: [Fault] = []

    /// How many requests for tokens there were, by their grant.
    package internal(set) var requests: [String: Int] = [:]
    /// The access tokens that are good, with their scopes.
    package var live: [String: String] = [:]
    /// Requests with a good access token.
    package internal(set) var reads = 0
    /// Refresh tokens, good or not.
    var refreshTokens: [String: RefreshToken] = [:]
    var codes: [String: Code] = [:]
    var devices: [String: String] = [:]
    private var made = 0

    struct RefreshToken: Sendable {
        var consent: Int
        var scope: String
        var isUsed = false
    }

    struct Code: Sendable {
        var challenge: String?
        var redirectURI: String
        var scope: String
        var isUsed = false
    }

    /// A service with one client.
    package init() {}

    /// How many refresh tokens are good.
    package var liveRefreshTokens: Int { refreshTokens.values.count { !$0.isUsed } }

    /// Ends the time of all access tokens.
    package mutating func expireAccessTokens() { live = [:] }

    /// Withdraws all consents.
    package mutating func withdraw() {
        live = [:]
        for token in refreshTokens.keys { refreshTokens[token]?.isUsed = true }
    }

    /// A text that was never given before.
    mutating func fresh(_ kind: String) -> String {
        made += 1
        let hash = SHA256.hash(Array("\(kind) \(made)".utf8))
        return "\(kind)-\(made)-\(Hexadecimal.encoded(hash.prefix(12)))"
    }

    /// A number that was never given before.
    mutating func freshNumber() -> Int {
        made += 1
        return made
    }
}
