package import PlugCore

/// What a token endpoint gave.
package struct TokenAnswer: Sendable, Equatable {
    /// The access token.
    package var accessToken: Secret
    /// What requests with the access token are signed with, with OAuth 1.0a.
    package var tokenSecret: Secret?
    /// A refresh token; `nil` where the answer has none, which means that an earlier one stays good.
    package var refreshToken: Secret?
    /// When the access token's time is over, in microseconds since 1970; `nil` where the answer does not say so in a way
    /// that can be believed.
    package var expires: Int64?
    /// When the refresh token's time is over, if nobody uses it, in microseconds since 1970; `nil` where the answer does not say.
    package var refreshExpires: Int64?
    /// What was granted; `nil` where the answer does not say it, which means what was asked for (RFC 6749, section 5.1).
    package var scopes: [String]?
    /// What else of the answer is kept, by the names that the plug has for it.
    package var values: [String: String]
    /// What of the answer could not be read and is not needed: parts of sentences.
    package var unread: [String]

    /// An answer.
    package init(
        accessToken: Secret,
        refreshToken: Secret?,
        expires: Int64?,
        scopes: [String]?,
        values: [String: String] = [:],
        refreshExpires: Int64? = nil,
        unread: [String] = []
    ) {
        self.values = values
        self.refreshExpires = refreshExpires
        self.unread = unread
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expires = expires
        self.scopes = scopes
    }
}
