import LosslessJSON
import OAuth
import PlugCore
import PlugManifest
import Synchronization
import Throttling

/// Manages the token of a connection: provides it to all requests, renews it once for all of them, and keeps it in the vault.
///
/// - One renews at a time: the requests of a run wait at `gate`, other tasks and processes are kept out by the vault's right to
///   renew. Each one entering first checks what was renewed meanwhile.
/// - A new refresh token is in the vault, on disk, before the access token that came with it is sent with any request.
/// - The loser of a race adopts what the winner has kept, and removes nothing.
final class TokenKeeper: Sendable {
    /// A token sent with a request.
    struct Token: Sendable {
        /// The text to send: the token in the form of the manifest's `use`.
        let text: String
        /// What requests with it are signed with.
        var secret: Secret?
        /// Its serial number.
        let serial: Int
    }

    /// How long an early renewal is not retried after it failed.
    private static let quietTime: Int64 = 30_000_000

    let source: any TokenSource
    private let use: TokenUse?
    private let roots: TemplateRoots
    let vault: (any GrantKeeping)?
    let id: GrantID
    /// Whether nothing is lost without a vault.
    let mayForget: Bool
    let clock: any HostClock
    let redactor: Redactor
    private let gate = AsyncSemaphore(width: 1)
    let state = Mutex(TokenState())

    /// - Parameters:
    ///   - vault: Stores the grant beyond the run; `nil` keeps it in memory.
    ///   - connection: The owner of the grant.
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

    /// The token for a request now, renewed if due.
    ///
    /// - Throws: `PlugError` if none can be obtained, or `CancellationError`.
    func token(for stream: String, through exchange: Exchange) async throws -> Token {
        if let token = try fresh() { return token }
        return try await gate.pass {
            if let token = try fresh() { return token }
            return try await renewed(for: stream, through: exchange)
        }
    }

    /// The values kept from token responses, as templates see them; `nil` before there is a token.
    var granted: JSONValue? {
        guard let values = state.withLock({ $0.kept?.grant.values }) else { return nil }
        return .object(JSONObject(values.map { (key: JSONString($0.key), value: JSONValue.text($0.value)) }))
    }

    /// Whether a token is the one currently used for requests.
    func isFresh(_ token: Token) -> Bool {
        state.withLock { $0.serial == token.serial && $0.isFresh(at: clock.now(), before: source.before) }
    }

    /// Obtains another token after a request was refused with this one.
    ///
    /// - Returns: Whether there is another one now.
    func renew(_ refused: Token, for stream: String, through exchange: Exchange) async throws -> Bool {
        try await gate.pass {
            if state.withLock({ $0.serial != refused.serial }) { return true }
            if try await adoptNewer(), state.withLock({ $0.serial != refused.serial }) { return true }
            guard canRenew, state.withLock({ $0.mayHelp(stream, now: clock.now()) }) else { return false }
            _ = try await renewed(instead: refused, for: stream, through: exchange)
            return true
        }
    }

    /// Renews a grant that would otherwise expire, unless that has been done.
    func renewUnused(through exchange: Exchange) async throws {
        try await gate.pass {
            _ = try await adoptNewer()
            guard let kept, !kept.isDead,
                let earliest = kept.grant.keepAlive(every: source.keepAlive, random: { 1 }), earliest <= clock.now()
            else { return }
            // A grant of which only the refresh token is known has no token that could be refused.
            _ = try await renewed(instead: try newest(), for: "", through: exchange)
        }
    }

    /// Whether another token can be requested if this one is refused.
    private var canRenew: Bool {
        !source.isFixed && (!source.refreshes || state.withLock { $0.kept?.grant.refreshToken != nil })
    }

    /// Notes that a request succeeded.
    func accepted(_ token: Token) { state.withLock { $0.accept(token.serial) } }

    /// Notes that a request was refused even with a new token: the token is not at fault.
    func giveUp(_ stream: String) { state.withLock { $0.giveUp(stream) } }

    /// Advice for a refused request.
    ///
    /// - Parameter afterRenewal: Whether it was sent a second time, with a new token.
    func advice(afterRenewal: Bool) -> String {
        if afterRenewal {
            return "the token was renewed and is refused again: check what the account, or the scopes, allow to read"
        }
        if source.isFixed { return "check what the account, or the scopes, allow to read" }
        if canRenew {
            return "a new token did not help the stream before: check what the account, or the scopes, allow to read"
        }
        return "the service gave no refresh token: connect again with 'plughost connect'"
    }

    /// The current token, if its renewal is not due and it is not the one that was refused.
    func fresh(instead refused: Token? = nil) throws(PlugError) -> Token? {
        let isFresh = state.withLock { state in
            state.isFresh(at: clock.now(), before: source.before) && state.serial != refused?.serial
        }
        return isFresh ? try newest() : nil
    }

    /// The current token, `nil` if there is none.
    func newest() throws(PlugError) -> Token? {
        let (given, grant, serial) = state.withLock { ($0.given, $0.kept?.grant, $0.serial) }
        if let given, given.serial == serial { return given }
        guard let grant, let secret = grant.accessToken else { return nil }
        let token = Token(text: try text(secret), secret: grant.tokenSecret, serial: serial)
        state.withLock { state in if state.serial == serial { state.given = token } }
        return token
    }

    /// The text to send for a token.
    private func text(_ secret: Secret) throws(PlugError) -> String {
        if source.isSigned { return secret.reveal() }
        guard let value = use?.value else {
            let isBearer = use.map { $0.place == .header && $0.name.lowercased() == "authorization" } ?? true
            return (isBearer ? "Bearer " : "") + secret.reveal()
        }
        var roots = roots
        roots.parent = .text(secret.reveal())
        // What is derived from a token is no less a secret: base64 of it can be undone.
        roots.observer = { [redactor] value, _ in
            if let text = value.stringText { redactor.issue(Secret(text)) }
        }
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
        // A wrong password is sent once, not once per stream: services count them.
        if let error = state.withLock({ $0.final }) { throw error }
        // Before expiry a token is still valid: then one attempt is enough, and no wait.
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
        } catch let error as PlugError {
            if isAhead, error.code != .tokenUnkept, [.tryLater, .unreachable, .data].contains(error.exit),
                let token = try newest()
            {
                state.withLock { $0.quietUntil = max($0.quietUntil, clock.now() + Self.quietTime) }
                let message = "the access token could not be renewed before it expires: \(error.message)"
                exchange.warnOnce(stream, .renewalFailed, message)
                return token
            }
            let mayPass = [.tryLater, .unreachable].contains(error.exit) && error.code != .tokenDoubtful
            if !mayPass { state.withLock { $0.final = error } }
            throw error
        }
    }
}
