import OAuth
import PlugCore

/// What a keeper knows of its grant, and what this run has learned of it.
struct TokenState: Sendable {
    /// An answer of a service that the vault has not taken yet.
    struct Unkept: Sendable {
        /// The grant that it gave.
        var grant: KeptGrant
        /// The refresh token that was shown for it.
        var shown: Secret?
    }

    /// The grant; `nil` where there is none yet.
    private(set) var kept: KeptGrant?
    /// Its version in the vault; `nil` where the vault has none.
    private(set) var version: Int64?
    /// Whether the vault has a grant that belongs to another client.
    var isForeign = false
    /// Counts the access tokens that were obtained, also where a service gives the same one again.
    private(set) var serial = 0
    /// The access token as it is sent, once it was made.
    var given: TokenKeeper.Token?
    /// Until when a renewal ahead of the token's end is not tried again, in microseconds since 1970.
    var quietUntil: Int64 = 0
    /// Why no token is to be had for the rest of the run: asked again, the service would say the same, and count it.
    var final: PlugError?
    /// An answer that has to be kept before anything else is asked.
    var unkept: Unkept?

    // MARK: - Refresh tokens

    /// How often each was shown without anybody knowing what became of it.
    private var doubts: [Secret: Int] = [:]
    /// Those that the service has called dead.
    private var refused: Set<Secret> = []

    /// How often a refresh token is shown whose fate nobody knows: some services allow a second time, and others take a third
    /// one for theft.
    private static let mostDoubts = 2

    /// Notes that nobody knows what became of a refresh token that was shown.
    mutating func doubt(_ token: Secret) { doubts[token, default: 0] += 1 }

    /// Whether nobody knows what became of it.
    func isDoubtful(_ token: Secret) -> Bool { doubts[token] != nil }

    /// Whether it is not shown again in this run.
    func isTooDoubtful(_ token: Secret) -> Bool { doubts[token, default: 0] >= Self.mostDoubts }

    /// Notes that the service calls a refresh token dead.
    mutating func refuse(_ token: Secret) { refused.insert(token) }

    /// The refresh token that is shown: the newest one, unless it was refused and the one before it was not.
    var shown: Secret? {
        guard let kept, let newest = kept.grant.refreshToken else { return nil }
        guard refused.contains(newest), let previous = kept.previous, !refused.contains(previous) else { return newest }
        return previous
    }

    // MARK: - Refused requests

    /// Whether a request was answered well with the newest token.
    private var isAccepted = false
    /// When the newest token was obtained, in microseconds since 1970.
    private var obtained: Int64 = 0
    /// How often a renewal did not help a stream whose request was refused.
    private var futile: [String: Int] = [:]

    /// After so many renewals that did not help, one needs a token of some age.
    private static let mostFutile = 3
    /// That age, in microseconds.
    private static let ripe: Int64 = 60_000_000

    /// Notes that a request was answered well.
    mutating func accept(_ serial: Int) { if serial == self.serial { isAccepted = true } }

    /// Notes that a request was refused with a new token, too.
    mutating func giveUp(_ stream: String) { futile[stream, default: 0] += 1 }

    /// Whether a request that was refused may be the token's fault. Where a new token did not help before, one that has worked
    /// since may have died; but requests that nobody is allowed to make shall not renew it each time.
    func mayHelp(_ stream: String, now: Int64) -> Bool {
        guard let count = futile[stream] else { return true }
        return isAccepted && (count < Self.mostFutile || now - obtained >= Self.ripe)
    }

    // MARK: - Changes

    /// Takes over a grant.
    ///
    /// - Parameter isNew: Whether it was just obtained.
    mutating func adopt(_ kept: KeptGrant?, version: Int64?, isNew: Bool = false, now: Int64) {
        let old = self.kept?.grant
        if isNew || kept?.grant.accessToken != old?.accessToken || kept?.grant.obtained != old?.obtained {
            serial += 1
            (isAccepted, obtained) = (false, now)
        }
        // What was wrong with one grant is not wrong with another.
        if kept?.grant != old { final = nil }
        self.kept = kept
        self.version = version
    }

    /// Takes over what somebody else has kept.
    mutating func adoptStored(_ kept: KeptGrant?, version: Int64, now: Int64) {
        adopt(kept, version: version, now: now)
        // An earlier process has shown it, and nothing tells what became of it.
        if let kept, kept.isShown, let token = kept.grant.refreshToken, doubts[token] == nil { doubts[token] = 1 }
    }

    /// Whether the access token goes with requests now: it is there, and its renewal is not due.
    func isFresh(at now: Int64, before: Duration?) -> Bool {
        guard unkept == nil, let kept, !kept.isDead, kept.grant.accessToken != nil else { return false }
        guard let renewal = kept.grant.renewal(before: before), now >= renewal else { return true }
        // A refresh token of which nobody knows whether it is used up is shown again only when that is needed.
        return isAlive(at: now) && (now < quietUntil || kept.isShown)
    }

    /// Whether the access token is still good as far as its end is known.
    func isAlive(at now: Int64) -> Bool {
        guard let kept, !kept.isDead, kept.grant.accessToken != nil else { return false }
        return kept.grant.expires.map { now < $0 } ?? true
    }
}
