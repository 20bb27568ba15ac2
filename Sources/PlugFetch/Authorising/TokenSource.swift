import OAuth
import PlugCore

/// Where the tokens of a connection come from.
protocol TokenSource: Sendable {
    /// How the grant is called in the vault.
    var name: String { get }
    /// Who gives the tokens, for messages.
    var host: String { get }
    /// Whom a kept grant has to belong to.
    var owner: GrantOwner { get }
    /// All that access tokens are asked for with, hashed; `nil` where it makes no difference.
    var asked: String? { get }
    /// How long before its end a token is renewed; `nil` for the usual time.
    var before: Duration? { get }
    /// Whether tokens are renewed with a refresh token.
    var refreshes: Bool { get }
    /// Whether there is one token and no other.
    var isFixed: Bool { get }
    /// Whether requests are signed with the token, and do not carry it as a text of its own.
    var isSigned: Bool { get }
    /// Whether somebody has to consent before the first run.
    var needsConsent: Bool { get }
    /// Whether refresh tokens work once only; `nil` for what answers show.
    var rotates: Bool? { get }
    /// How long a grant may go without a refresh, as the manifest says it.
    var keepAlive: Duration? { get }
    /// The refresh token that the person gives in the configuration.
    var givenRefreshToken: Secret? { get }
    /// The scopes that are asked for.
    var scopes: [String] { get }
    /// Which answers to other requests say that a token is dead; `nil` for 401.
    var deadTokens: DeadTokens? { get }

    /// What no message may show.
    var secrets: [Secret] { get }

    /// Asks for a token, once.
    ///
    /// - Parameter refreshToken: What is shown for it, where tokens are renewed.
    /// - Throws: `TokenFailure`; `PlugError` where nothing can be asked.
    func ask(showing refreshToken: Secret?, for stream: String, through exchange: Exchange) async throws -> TokenAnswer

    /// What a failure means to a person.
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

/// A token that there is already: nobody is asked for one.
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
    /// - Parameter values: What was kept of the answer that gave it.
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
