package import PlugCore

/// What is kept of a consent between runs: the tokens, and what is known about them.
package struct Grant: Sendable, Equatable {
    /// Sent with requests; `nil` if only the refresh token is known.
    package var accessToken: Secret?
    /// With OAuth 1.0a, signs requests with the access token; never sent.
    package var tokenSecret: Secret?
    /// Obtains the next access token; `nil` if the service issues none.
    package var refreshToken: Secret?
    /// When the access token expires, in microseconds since 1970; `nil` if unknown.
    package var expires: Int64?
    /// When the refresh token expires if it is not used, in microseconds since 1970; `nil` if unknown.
    package var refreshExpires: Int64?
    /// The granted scopes.
    package var scopes: [String]
    /// Other values kept from the responses, by the plug's names for them.
    package var values: [String: String] = [:]
    /// When the access token was obtained, in microseconds since 1970.
    package var obtained: Int64
    /// When the person consented, or a token was first issued some other way, in microseconds since 1970.
    package var since: Int64

    /// The grant in a first response.
    ///
    /// - Parameters:
    ///   - asked: The requested scopes: the granted ones, unless the response says otherwise.
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

    /// A grant from a person who has only a refresh token.
    ///
    /// - Parameter now: Microseconds since 1970.
    package init(refreshToken: Secret, now: Int64) {
        self.init(accessToken: nil, refreshToken: refreshToken, expires: nil, scopes: [], obtained: now, since: now)
    }

    /// A grant from its parts.
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

    /// The grant after a refresh: anything the response omits stays unchanged, including the refresh token (RFC 6749, section 6).
    package func renewed(by answer: TokenAnswer, now: Int64) -> Grant {
        // The lifetime of a previous refresh token says nothing about a different one.
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

    /// The time from which the access token is renewed before use, in microseconds since 1970; `nil` if only a response can show
    /// that it is dead.
    ///
    /// - Parameter before: How long before it expires; `nil` for a tenth of its life, five minutes at most. Never more than half
    ///   of its life, so that a new token gets used at all.
    package func renewal(before: Duration? = nil) -> Int64? {
        guard let expires else { return nil }
        let life = max(0, expires - obtained)
        let wanted = before.map { $0.wholeMicroseconds } ?? min(life / 10, 300_000_000)
        return expires - min(max(0, wanted), life / 2)
    }

    /// A refresh token with a shorter life is not kept alive: with so rare a schedule, the person connects each time.
    private static let shortestLife: Int64 = 120_000_000

    /// When the grant is refreshed even though no run needs it, in microseconds since 1970; `nil` for never.
    ///
    /// That is after `interval`, but no later than four fifths of the refresh token's life if that is known; earlier by up to a
    /// tenth, so that grants made at the same time are not refreshed at the same time.
    ///
    /// - Parameter random: From 0 to 1: how much of that tenth. Called only if there is such a time.
    package func keepAlive(every interval: Duration?, random: () -> Double) -> Int64? {
        guard refreshToken != nil else { return nil }
        var waits = [interval.map { $0.wholeMicroseconds }].compactMap(\.self)
        if let refreshExpires {
            let life = max(0, refreshExpires - obtained)
            if life >= Self.shortestLife { waits.append(life / 5 * 4) }
        }
        guard let wait = waits.min() else { return nil }
        return obtained + wait - Int64(Double(wait / 10) * min(1, max(0, random())))
    }
}
