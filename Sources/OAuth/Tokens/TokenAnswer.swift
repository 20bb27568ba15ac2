package import PlugCore

/// A successful response of a token endpoint.
package struct TokenAnswer: Sendable, Equatable {
    /// The access token.
    package var accessToken: Secret
    /// With OAuth 1.0a, signs requests with the access token.
    package var tokenSecret: Secret?
    /// The refresh token; `nil` if the response has none, which means that an earlier one remains valid.
    package var refreshToken: Secret?
    /// When the access token expires, in microseconds since 1970; `nil` if the response gives no credible time.
    package var expires: Int64?
    /// When the refresh token expires if it is not used, in microseconds since 1970; `nil` if the response does not say.
    package var refreshExpires: Int64?
    /// The granted scopes; `nil` if the response omits them, which means the requested ones (RFC 6749, section 5.1).
    package var scopes: [String]?
    /// Other values kept from the response, by the plug's names for them.
    package var values: [String: String]
    /// Optional parts of the response that could not be read: parts of sentences.
    package var unread: [String]

    /// A response.
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
