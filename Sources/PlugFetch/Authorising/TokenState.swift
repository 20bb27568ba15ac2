import OAuth
import PlugCore

/// What a keeper knows about its grant, and what this run has learned about it.
struct TokenState: Sendable {
    /// A service's answer not yet stored in the vault.
    struct Unkept: Sendable {
        /// The grant it contains.
        var grant: KeptGrant
        /// The refresh token that was used for it.
        var shown: Secret?
    }

    /// The grant; `nil` if there is none yet.
    private(set) var kept: KeptGrant?
    /// Its version in the vault; `nil` if the vault has none.
    private(set) var version: Int64?
    /// Whether the vault has a grant that belongs to another client.
    var isForeign = false
    /// Counts the access tokens that were obtained, even if a service issues the same one again.
    private(set) var serial = 0
    /// The access token in the form sent, once that was made.
    var given: TokenKeeper.Token?
    /// Until when an early renewal is not retried, in microseconds since 1970.
    var quietUntil: Int64 = 0
    /// Why no token can be obtained for the rest of the run: asked again, the service would say the same, and count it.
    var final: PlugError?
    /// An answer that has to be stored before anything else is requested.
    var unkept: Unkept?

    // MARK: - Refresh tokens

    /// How often each was used with unknown outcome.
    private var doubts: [Secret: Int] = [:]
    /// Those that the service has called dead.
    private var refused: Set<Secret> = []

    /// How often a refresh token of unknown outcome is used: some services allow a second use, and others treat a third as theft.
    private static let mostDoubts = 2

    /// Notes that a refresh token was used with unknown outcome.
    mutating func doubt(_ token: Secret) { doubts[token, default: 0] += 1 }

    /// Whether its outcome is unknown.
    func isDoubtful(_ token: Secret) -> Bool { doubts[token] != nil }

    /// Whether it is not used again in this run.
    func isTooDoubtful(_ token: Secret) -> Bool { doubts[token, default: 0] >= Self.mostDoubts }

    /// Notes that the service calls a refresh token dead.
    mutating func refuse(_ token: Secret) { refused.insert(token) }

    /// The refresh token to use: the newest one, unless it was refused and the one before it was not.
    var shown: Secret? {
        guard let kept, let newest = kept.grant.refreshToken else { return nil }
        guard refused.contains(newest), let previous = kept.previous, !refused.contains(previous) else { return newest }
        return previous
    }

    // MARK: - Refused requests

    /// Whether a request succeeded with the newest token.
    private var isAccepted = false
    /// When the newest token was obtained, in microseconds since 1970.
    private var obtained: Int64 = 0
    /// How often a renewal did not help a stream whose request was refused.
    private var futile: [String: Int] = [:]

    /// After this many futile renewals, another one requires a token of some age.
    private static let mostFutile = 3
    /// That age, in microseconds.
    private static let ripe: Int64 = 60_000_000

    /// Notes that a request succeeded.
    mutating func accept(_ serial: Int) { if serial == self.serial { isAccepted = true } }

    /// Notes that a request was refused even with a new token.
    mutating func giveUp(_ stream: String) { futile[stream, default: 0] += 1 }

    /// Whether the token may be the reason that a request was refused. If a new token did not help before, one that has worked
    /// since may have died; but requests that are always forbidden must not renew it each time.
    func mayHelp(_ stream: String, now: Int64) -> Bool {
        guard let count = futile[stream] else { return true }
        return isAccepted && (count < Self.mostFutile || now - obtained >= Self.ripe)
    }

    // MARK: - Changes

    /// Adopts a grant.
    ///
    /// - Parameter isNew: Whether it was just obtained.
    mutating func adopt(_ kept: KeptGrant?, version: Int64?, isNew: Bool = false, now: Int64) {
        let old = self.kept?.grant
        if isNew || kept?.grant.accessToken != old?.accessToken || kept?.grant.obtained != old?.obtained {
            serial += 1
            (isAccepted, obtained) = (false, now)
        }
        // An error of one grant does not apply to another.
        if kept?.grant != old { final = nil }
        self.kept = kept
        self.version = version
    }

    /// Adopts a grant stored by another process.
    mutating func adoptStored(_ kept: KeptGrant?, version: Int64, now: Int64) {
        adopt(kept, version: version, now: now)
        // An earlier process has used it, and nothing shows the outcome.
        if let kept, kept.isShown, let token = kept.grant.refreshToken, doubts[token] == nil { doubts[token] = 1 }
    }

    /// Whether the access token is used for requests now: it exists, and its renewal is not due.
    func isFresh(at now: Int64, before: Duration?) -> Bool {
        guard unkept == nil, let kept, !kept.isDead, kept.grant.accessToken != nil else { return false }
        guard let renewal = kept.grant.renewal(before: before), now >= renewal else { return true }
        // A refresh token that may be used up is used again only when necessary.
        return isAlive(at: now) && (now < quietUntil || kept.isShown)
    }

    /// Whether the access token is still valid, as far as its expiry is known.
    func isAlive(at now: Int64) -> Bool {
        guard let kept, !kept.isDead, kept.grant.accessToken != nil else { return false }
        return kept.grant.expires.map { now < $0 } ?? true
    }
}
