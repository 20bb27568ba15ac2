internal import LosslessJSON
package import PlugCore

/// A token with its secret, as a service with OAuth 1.0a gives them: temporary ones first, and those of a consent at the end.
package struct OAuth1Credentials: Sendable, Equatable {
    /// Names the credentials in requests.
    package var token: Secret
    /// Signs, and is never sent.
    package var secret: Secret

    /// Credentials.
    package init(token: Secret, secret: Secret) { (self.token, self.secret) = (token, secret) }
}

extension Grant {
    /// What a consent with OAuth 1.0a gave: it has no end that anybody knows, and nothing renews it.
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
