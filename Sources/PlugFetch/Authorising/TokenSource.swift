import OAuth
import PlugCore

/// The source of a connection's tokens.
protocol TokenSource: Sendable {
    /// The grant's name in the vault.
    var name: String { get }
    /// The issuer of the tokens, for messages.
    var host: String { get }
    /// The required owner of a kept grant.
    var owner: GrantOwner { get }
    /// A hash of everything that access tokens are requested with; `nil` if it makes no difference.
    var asked: String? { get }
    /// How long before expiry a token is renewed; `nil` for the default time.
    var before: Duration? { get }
    /// Whether tokens are renewed with a refresh token.
    var refreshes: Bool { get }
    /// Whether there is only one token.
    var isFixed: Bool { get }
    /// Whether requests are signed with the token, rather than carrying it as text.
    var isSigned: Bool { get }
    /// Whether consent is needed before the first run.
    var needsConsent: Bool { get }
    /// Whether refresh tokens are single-use; `nil` leaves that to the answers.
    var rotates: Bool? { get }
    /// How long a grant may go without a refresh, according to the manifest.
    var keepAlive: Duration? { get }
    /// The refresh token that the user gives in the configuration.
    var givenRefreshToken: Secret? { get }
    /// The scopes to request.
    var scopes: [String] { get }
    /// Which answers to other requests say that a token is dead; `nil` for 401.
    var deadTokens: DeadTokens? { get }

    /// What no message may show.
    var secrets: [Secret] { get }

    /// Requests a token, once.
    ///
    /// - Parameter refreshToken: The one to use, if tokens are renewed.
    /// - Throws: `TokenFailure`; `PlugError` if no request can be made.
    func ask(showing refreshToken: Secret?, for stream: String, through exchange: Exchange) async throws -> TokenAnswer

    /// The user-facing error for a failure.
    func error(_ failure: TokenFailure) -> PlugError
}

extension TokenSource {
    var isFixed: Bool { false }
    var isSigned: Bool { false }
    var rotates: Bool? { nil }
    var keepAlive: Duration? { nil }
    var givenRefreshToken: Secret? { nil }
    var scopes: [String] { [] }
    var secrets: [Secret] { [] }
    var deadTokens: DeadTokens? { nil }
}

/// A token that already exists: none is requested.
struct GivenToken: TokenSource {
    let name = "given"
    let host = "the fixture"
    let owner = GrantOwner.nobody
    let asked: String? = nil
    let before: Duration? = nil
    let refreshes = false
    let isFixed = true
    let needsConsent = false
    let isSigned: Bool
    private let token: Secret
    private let tokenSecret: Secret?
    private let values: [String: String]

    /// A token of OAuth 2.
    ///
    /// - Parameter values: What was kept of the response that granted it.
    init(_ token: Secret, _ values: [String: String]) {
        self.token = token
        self.values = values
        (isSigned, tokenSecret) = (false, nil)
    }

    /// A token of OAuth 1.0a.
    init(_ token: Secret, signingWith secret: Secret?) {
        (self.token, tokenSecret, values, isSigned) = (token, secret, [:], true)
    }

    func ask(showing refreshToken: Secret?, for stream: String, through exchange: Exchange) async throws -> TokenAnswer
    {
        var answer = TokenAnswer(accessToken: token, refreshToken: nil, expires: nil, scopes: nil, values: values)
        answer.tokenSecret = tokenSecret
        return answer
    }

    func error(_ failure: TokenFailure) -> PlugError { failure.plugError(from: host) }
}
