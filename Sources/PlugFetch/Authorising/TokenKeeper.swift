import LosslessJSON
import OAuth
import PlugCore
import PlugManifest
import Synchronization
import Throttling

/// Keeps the token of a connection: gives it to all requests, renews it once for all of them, and keeps it in the vault.
///
/// - One renews at a time: the requests of a run stand at `gate`, other tasks and processes are kept out by the vault's
///   right to renew. Whoever comes in looks first what was renewed meanwhile.
/// - A new refresh token is in the vault, on the disk, before the access token that came with it goes with any request.
/// - Whoever loses a race takes over what the winner has kept, and removes nothing.
final class TokenKeeper: Sendable {
    /// A token that goes with a request.
    struct Token: Sendable {
        /// What is sent: the token as the manifest's `use` wants it.
        let text: String
        /// Which one it is.
        let serial: Int
    }

    /// How long a renewal ahead of the token's end is not tried again after it failed.
    private static let quietTime: Int64 = 30_000_000
    /// How often somebody who waits for the right to renew looks again.
    private static let look = Duration.milliseconds(50)

    let source: any TokenSource
    private let use: TokenUse?
    private let roots: TemplateRoots
    private let vault: (any GrantKeeping)?
    private let id: GrantID
    /// Whether nothing is lost where there is no vault.
    private let mayForget: Bool
    private let clock: any HostClock
    private let redactor: Redactor
    private let gate = AsyncSemaphore(width: 1)
    private let state = Mutex(TokenState())

    /// - Parameters:
    ///   - vault: Where the grant outlives the run; `nil` keeps it in memory.
    ///   - connection: Whose grant it is.
    init(
        _ source: any TokenSource,
        use: TokenUse?,
        _ roots: TemplateRoots,
        vault: (any GrantKeeping)?,
        connection: ConnectionID,
        clock: any HostClock,
        redactor: Redactor
    ) {
        self.source = source
        self.use = use
        self.roots = roots
        self.vault = vault
        id = GrantID(connection: connection, name: source.name)
        mayForget = vault != nil || !source.refreshes || source.rotates == false
        self.clock = clock
        self.redactor = redactor
    }

    // MARK: - For requests

    /// The token that goes with a request now, renewed where its time has come.
    ///
    /// - Throws: `PlugError` if there is none to be had, or `CancellationError`.
    func token(for stream: String, through exchange: Exchange) async throws -> Token {
        if let token = try fresh() { return token }
        return try await gate.pass {
            if let token = try fresh() { return token }
            return try await renewed(for: stream, through: exchange)
        }
    }

    /// Whether a token is the one that goes with requests now.
    func isFresh(_ token: Token) -> Bool {
        state.withLock { $0.serial == token.serial && $0.isFresh(at: clock.now(), before: source.before) }
    }

    /// Gets another token where a request was refused with this one.
    ///
    /// - Returns: Whether there is another one now.
    func renew(_ refused: Token, for stream: String, through exchange: Exchange) async throws -> Bool {
        try await gate.pass {
            if state.withLock({ $0.serial != refused.serial }) { return true }
            if try await adoptNewer(), state.withLock({ $0.serial != refused.serial }) { return true }
            let (kept, isHopeless) = state.withLock { ($0.kept, $0.hopeless.contains(stream)) }
            let canRenew = !source.refreshes || kept?.grant.refreshToken != nil
            guard canRenew, !isHopeless else { return false }
            _ = try await renewed(instead: refused, for: stream, through: exchange)
            return true
        }
    }

    /// Notes that a request was refused with a new token, too: it is not the token's fault, and the next such answer renews
    /// nothing.
    func giveUp(_ stream: String) { state.withLock { _ = $0.hopeless.insert(stream) } }

    /// What helps where a request is refused with a token that was not, or could not be, renewed.
    var advice: String {
        let canRenew = !source.refreshes || state.withLock { $0.kept?.grant.refreshToken != nil }
        if canRenew {
            return "the token was renewed and is refused again: check what the account, or the scopes, allow to read"
        }
        return "the service gave no refresh token: connect again with 'plughost connect'"
    }

    /// The token as it is, if its renewal is not due and it is not the one that was refused.
    func fresh(instead refused: Token? = nil) throws(PlugError) -> Token? {
        let isFresh = state.withLock { state in
            state.isFresh(at: clock.now(), before: source.before) && state.serial != refused?.serial
        }
        return isFresh ? try newest() : nil
    }

    /// The token as it is, `nil` if there is none.
    func newest() throws(PlugError) -> Token? {
        let (given, secret, serial) = state.withLock { ($0.given, $0.kept?.grant.accessToken, $0.serial) }
        if let given, given.serial == serial { return given }
        guard let secret else { return nil }
        let token = Token(text: try text(secret), serial: serial)
        state.withLock { state in if state.serial == serial { state.given = token } }
        return token
    }

    /// What is sent of a token.
    private func text(_ secret: Secret) throws(PlugError) -> String {
        guard let value = use?.value else {
            let isBearer = use.map { $0.place == .header && $0.name.lowercased() == "authorization" } ?? true
            return (isBearer ? "Bearer " : "") + secret.reveal()
        }
        var roots = roots
        roots.parent = .text(secret.reveal())
        let text = try value.renderText(roots)
        redactor.issue(Secret(text))
        return text
    }

    // MARK: - Renewing

    /// A new token. The caller is the only one of this run.
    private func renewed(
        instead refused: Token? = nil,
        for stream: String,
        through exchange: Exchange
    ) async throws -> Token {
        _ = try await adoptNewer()
        if let token = try fresh(instead: refused) { return token }
        // Ahead of its end a token still serves: then one try is enough, and no wait.
        let isAhead = refused == nil && state.withLock { $0.isAlive(at: clock.now()) }
        let renewal = Renewal(keeper: self, refused: refused, isAhead: isAhead, stream: stream, exchange: exchange)
        do {
            let outcome = try await exchange.tokenSender(isAhead: isAhead).send { attempt in
                try await renewal.attempt(isRetry: attempt.isRetry)
            } waiting: { wait in
                let until = exchange.time(after: wait.length)
                exchange.note(stream, .waiting(reason: wait.isAsked ? .retryAfter : .backoff, until: until))
            }
            switch outcome {
            case .done(let token): return token
            case .exhausted(let last), .tooLong(_, let last): throw last.error
            }
        } catch let error as PlugError where isAhead && [.tryLater, .unreachable, .data].contains(error.exit) {
            state.withLock { $0.quietUntil = clock.now() + Self.quietTime }
            guard let token = try newest() else { throw error }
            let message = "the access token could not be renewed ahead of its end: \(error.message)"
            exchange.warnOnce(stream, .renewalFailed, message)
            return token
        }
    }

    /// Waits for the right to renew, which nobody else has then; `nil` without a vault.
    func right(_ longest: Duration) async throws -> ConnectionLease? {
        guard let vault else { return nil }
        let end = clock.steady().microseconds + Int64(longest / .microseconds(1))
        while true {
            do {
                if let lease = try await vault.lockGrant(id) { return lease }
            } catch let error as PlugError where error.code.text == "connection-unknown" { throw keepsNothing }
            guard clock.steady().microseconds < end else {
                throw PlugError(
                    .tokenBusy,
                    "another process has been renewing the access token of the connection '\(id.connection)' for too long",
                    advice: "run it again later; check whether a plughost process is suspended"
                )
            }
            try await clock.sleep(for: Self.look)
        }
    }

    /// Takes over what the vault has, if it is not what is known.
    ///
    /// - Returns: Whether it was something else.
    func adoptNewer() async throws -> Bool {
        guard let vault, let stored = try await vault.grant(id) else { return false }
        guard state.withLock({ $0.version != stored.version }) else { return false }
        var kept: KeptGrant?
        do { kept = try KeptGrant(stored.content) } catch {
            // A login begins anew; a consent is not thrown away.
            if source.needsConsent {
                throw PlugError(
                    .grantUnreadable,
                    "what is kept of the consent of the connection '\(id.connection)' cannot be read",
                    advice: "use the newest plughost of this state, or connect again with 'plughost connect'"
                )
            }
        }
        if !source.needsConsent, kept?.basis != source.basis { kept = nil }
        kept?.secrets.forEach(redactor.issue)
        state.withLock { $0.adopt(kept, version: stored.version) }
        return true
    }

    /// What is known of the grant.
    var kept: KeptGrant? { state.withLock { $0.kept } }

    /// Keeps a grant in the place of what is known.
    ///
    /// - Returns: Whether it is kept; `false` where somebody else has changed it: then that is known now.
    func keep(_ kept: KeptGrant) async throws -> Bool {
        kept.secrets.forEach(redactor.issue)
        // What cannot be renewed from and has no known end is not worth a place: the next run begins anew.
        let isKept = source.refreshes || kept.grant.expires != nil
        guard let vault, isKept else {
            state.withLock { $0.adopt(kept, version: $0.version) }
            return true
        }
        let version = state.withLock { $0.version }
        if let next = try await vault.keepGrant(kept.content, as: id, replacing: version) {
            state.withLock { $0.adopt(kept, version: next) }
            return true
        }
        _ = try await adoptNewer()
        return false
    }

    /// Whether what a refresh gives can be kept, or need not be.
    func checkKeeping() throws(PlugError) { if !mayForget { throw keepsNothing } }

    private var keepsNothing: PlugError {
        PlugError(
            .dryRunKeepsNothing,
            "a dry run of a connection that was never run could lose the refresh token that the service may give instead "
                + "of the configured one",
            advice: "run it once without --dry-run, or write 'rotates: false' in 'auth.oauth2.refresh' if that is so"
        )
    }
}
