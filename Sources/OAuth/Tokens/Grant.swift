package import PlugCore

/// What is kept of a consent between runs: the tokens, and what is known of them.
package struct Grant: Sendable, Equatable {
    /// Goes with requests; `nil` where only the refresh token is known.
    package var accessToken: Secret?
    /// Signs requests with the access token and is never sent, with OAuth 1.0a.
    package var tokenSecret: Secret?
    /// Gives the next access token; `nil` where the service gives none.
    package var refreshToken: Secret?
    /// When the access token's time is over, in microseconds since 1970; `nil` where that is not known.
    package var expires: Int64?
    /// When the refresh token's time is over, if nobody uses it, in microseconds since 1970; `nil` where that is not known.
    package var refreshExpires: Int64?
    /// What was granted.
    package var scopes: [String]
    /// What else of the answers is kept, by the names that the plug has for it.
    package var values: [String: String] = [:]
    /// When the access token was obtained, in microseconds since 1970.
    package var obtained: Int64
    /// When the person consented, or whatever else first gave a token, in microseconds since 1970.
    package var since: Int64

    /// What a first answer grants.
    ///
    /// - Parameters:
    ///   - asked: The scopes that were asked for: those granted, if the answer does not say otherwise.
    ///   - now: Microseconds since 1970.
    package init(_ answer: TokenAnswer, asked: [String], now: Int64) {
        accessToken = answer.accessToken
        tokenSecret = answer.tokenSecret
        refreshToken = answer.refreshToken
        expires = answer.expires
        scopes = answer.scopes ?? asked
        values = answer.values
        refreshExpires = answer.refreshExpires
        obtained = now
        since = now
    }

    /// What a person gives who has only a refresh token.
    ///
    /// - Parameter now: Microseconds since 1970.
    package init(refreshToken: Secret, now: Int64) {
        self.init(accessToken: nil, refreshToken: refreshToken, expires: nil, scopes: [], obtained: now, since: now)
    }

    /// A grant of these parts.
    init(
        accessToken: Secret?,
        refreshToken: Secret?,
        expires: Int64?,
        scopes: [String],
        values: [String: String] = [:],
        refreshExpires: Int64? = nil,
        obtained: Int64,
        since: Int64
    ) {
        self.values = values
        self.refreshExpires = refreshExpires
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expires = expires
        self.scopes = scopes
        self.obtained = obtained
        self.since = since
    }

    /// The grant after a refresh: what the answer does not say stays as it was, the refresh token too (RFC 6749, section 6).
    package func renewed(by answer: TokenAnswer, now: Int64) -> Grant {
        // Of another refresh token nobody knows how long the one before it would have lived.
        let isSame = answer.refreshToken == nil || answer.refreshToken == refreshToken
        return Grant(
            accessToken: answer.accessToken,
            refreshToken: answer.refreshToken ?? refreshToken,
            expires: answer.expires,
            scopes: answer.scopes ?? scopes,
            values: values.merging(answer.values) { $1 },
            refreshExpires: answer.refreshExpires ?? (isSame ? refreshExpires : nil),
            obtained: now,
            since: since
        )
    }

    /// From when on the access token is renewed before it is used, in microseconds since 1970; `nil` if only an answer can
    /// tell that it is dead.
    ///
    /// - Parameter before: How long before its end; `nil` for a tenth of its life, five minutes at most. Never more than
    ///   half of its life, so that a new token is used at all.
    package func renewal(before: Duration? = nil) -> Int64? {
        guard let expires else { return nil }
        let life = max(0, expires - obtained)
        let wanted = before.map { Int64($0 / .microseconds(1)) } ?? min(life / 10, 300_000_000)
        return expires - min(max(0, wanted), life / 2)
    }

    /// A refresh token that lives shorter is not kept alive: whoever reads so seldom connects each time.
    private static let shortestLife: Int64 = 120_000_000

    /// When the grant is refreshed although nothing needs it, in microseconds since 1970; `nil` for never.
    ///
    /// That is after `interval`, and in any case after four fifths of the refresh token's life where that is known; earlier by up
    /// to a tenth, so that what was granted at once is not refreshed at once.
    ///
    /// - Parameter random: From 0 to 1: how much of that tenth. Asked only where there is such a time.
    package func keepAlive(every interval: Duration?, random: () -> Double) -> Int64? {
        guard refreshToken != nil else { return nil }
        var waits = [interval.map { Int64($0 / .microseconds(1)) }].compactMap(\.self)
        if let refreshExpires {
            let life = max(0, refreshExpires - obtained)
            if life >= Self.shortestLife { waits.append(life / 5 * 4) }
        }
        guard let wait = waits.min() else { return nil }
        return obtained + wait - Int64(Double(wait / 10) * min(1, max(0, random())))
    }
}
