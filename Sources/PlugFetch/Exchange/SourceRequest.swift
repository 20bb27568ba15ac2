import PlugCore

/// A request over all its attempts.
struct SourceRequest: Sendable {
    /// The request to send; a redirect changes it.
    var prepared: PreparedRequest
    let stream: String
    let handling: Handling
    /// Its place in every queue; a retry keeps it.
    let turn = Turn()
    /// How often it was sent, including the current attempt.
    var tries = 0
    var cost = FetchedPage.Cost()
    var hops = 0
    /// The status of the last answer, `nil` without an answer.
    var status: Int?
    /// The token sent with it.
    var token: TokenKeeper.Token?
    /// Whether it was resent with another token because the first one was refused.
    var hasNewToken = false
    /// Whether a keep-alive connection ended during the last attempt before there was an answer.
    var hasLostConnection = false
}
