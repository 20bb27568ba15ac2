import OAuth
import PlugCore

/// What a keeper knows of its grant.
struct TokenState: Sendable {
    /// The grant; `nil` where there is none yet.
    var kept: KeptGrant?
    /// Its version in the vault; `nil` where the vault has none.
    var version: Int64?
    /// Counts the access tokens that were known.
    var serial = 0
    /// The access token as it is sent, once it was made.
    var given: TokenKeeper.Token?
    /// Until when a renewal ahead of the token's end is not tried again, in microseconds since 1970.
    var quietUntil: Int64 = 0
    /// The streams whose requests were refused with a new token, too.
    var hopeless: Set<String> = []

    /// Takes over a grant.
    mutating func adopt(_ kept: KeptGrant?, version: Int64?) {
        if kept?.grant.accessToken != self.kept?.grant.accessToken { serial += 1 }
        self.kept = kept
        self.version = version
    }

    /// Whether the access token goes with requests now: it is there, and its renewal is not due.
    func isFresh(at now: Int64, before: Duration?) -> Bool {
        guard let kept, !kept.isDead else { return false }
        guard let renewal = kept.grant.renewal(before: before), now >= renewal else { return true }
        return isAlive(at: now) && now < quietUntil
    }

    /// Whether the access token is still good as far as its end is known.
    func isAlive(at now: Int64) -> Bool {
        guard let kept, !kept.isDead else { return false }
        return kept.grant.expires.map { now < $0 } ?? true
    }
}
