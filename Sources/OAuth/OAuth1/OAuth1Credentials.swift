internal import LosslessJSON
package import PlugCore

/// A token with its secret, as issued with OAuth 1.0a: temporary ones first, and the token credentials after the consent.
package struct OAuth1Credentials: Sendable, Equatable {
    /// Identifies the credentials in requests.
    package var token: Secret
    /// Signs requests, and is never sent.
    package var secret: Secret

    /// Credentials.
    package init(token: Secret, secret: Secret) { (self.token, self.secret) = (token, secret) }
}

extension Grant {
    /// What a consent with OAuth 1.0a gave: it has no known expiry, and cannot be renewed.
    ///
    /// - Parameter now: Microseconds since 1970.
    package init(_ credentials: OAuth1Credentials, now: Int64) {
        self.init(
            accessToken: credentials.token,
            refreshToken: nil,
            expires: nil,
            scopes: [],
            obtained: now,
            since: now
        )
        tokenSecret = credentials.secret
    }
}
