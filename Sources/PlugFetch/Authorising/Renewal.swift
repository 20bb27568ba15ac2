import CurlTransport
import OAuth
import PlugCore
import PlugManifest
import Synchronization
import Throttling

/// One renewal of a token, over all its tries.
final class Renewal: Sendable {
    private struct State {
        /// Requests of which nobody knows whether they had their effect.
        var doubts = 0
        /// Whether the refresh token before the newest one was tried.
        var hasTriedPrevious = false
    }

    /// How often a disk is asked to keep what a service gave only once.
    private static let keepingTries = 4

    private let keeper: TokenKeeper
    private let refused: TokenKeeper.Token?
    /// Whether the token that there is still serves: then nothing is waited for.
    private let isAhead: Bool
    private let stream: String
    private let exchange: Exchange
    private let state = Mutex(State())

    init(
        keeper: TokenKeeper,
        refused: TokenKeeper.Token?,
        isAhead: Bool,
        stream: String,
        exchange: Exchange
    ) {
        self.keeper = keeper
        self.refused = refused
        self.isAhead = isAhead
        self.stream = stream
        self.exchange = exchange
    }

    /// One try.
    ///
    /// - Throws: `PlugError` where another try would not fare better.
    func attempt(isRetry: Bool) async throws -> RetryingSender.Verdict<TokenKeeper.Token> {
        if keeper.source.needsConsent, keeper.kept == nil { throw connectFirst }
        let right = try await keeper.right(exchange.settings.retry.maximumWait)
        defer { right?.end() }
        // Somebody else may have been faster.
        _ = try await keeper.adoptNewer()
        if let token = try keeper.fresh(instead: refused) { return .done(token) }
        let kept = keeper.kept
        if kept?.isDead == true { throw dead(TokenFailure(.dead, "it was refused before")) }
        do {
            let shown = try proof(kept)
            let token = try await exchange.inTurn(for: stream) {
                try await shielded { try await self.obtain(kept, showing: shown) }
            }
            return .done(token)
        } catch let failure as TokenFailure { return .again(try await failedTry(failure, kept)) }
    }

    /// What is shown for a token, where tokens are renewed.
    private func proof(_ kept: KeptGrant?) throws -> Secret? {
        guard keeper.source.refreshes else { return nil }
        if let token = kept?.grant.refreshToken ?? keeper.source.givenRefreshToken { return token }
        throw PlugError(
            .connectAgain,
            "\(keeper.source.host) gave an access token without a refresh token, and its time is over",
            advice: "connect again with 'plughost connect'",
            reach: .run
        )
    }

    /// Asks, and keeps what comes. Nothing stands between the answer and its being kept.
    private func obtain(_ kept: KeptGrant?, showing shown: Secret?) async throws -> TokenKeeper.Token {
        if shown != nil {
            try keeper.checkKeeping()
            // That the vault can be written to is tried before, and not after, something is used up.
            if var marked = kept {
                marked.isRenewing = true
                guard try await keeper.keep(marked) else { return try await changed() }
            }
        }
        let source = keeper.source
        let answer = try await source.ask(showing: shown, for: stream, through: exchange)
        let now = exchange.clock.now()
        let next: KeptGrant
        if let shown, let kept {
            next = kept.renewed(by: answer, showing: shown, now: now)
        } else {
            let first = KeptGrant(Grant(answer, asked: source.scopes, now: now), basis: source.basis)
            next = shown.map { first.renewed(by: answer, showing: $0, now: now) } ?? first
        }
        guard try await keepSurely(next) else { return try await changed() }
        warnOfScopes(next)
        guard let token = try keeper.newest() else { return try await changed() }
        return token
    }

    /// Keeps what cannot be had a second time, also where the disk needs a moment.
    private func keepSurely(_ kept: KeptGrant) async throws -> Bool {
        for _ in 1..<Self.keepingTries {
            do { return try await keeper.keep(kept) } catch let error as PlugError where error.exit == .tryLater {
                try await exchange.clock.sleep(for: .milliseconds(200))
            }
        }
        return try await keeper.keep(kept)
    }

    /// Somebody has kept another grant meanwhile, as `connect` does: that one counts.
    private func changed() async throws -> TokenKeeper.Token {
        if let token = try keeper.fresh(instead: refused) { return token }
        throw TokenFailure(.passing(after: .zero), "another process has changed the grant meanwhile")
    }

    // MARK: - Failures

    /// What a failure leads to.
    private func failedTry(_ failure: TokenFailure, _ kept: KeptGrant?) async throws -> FailedTry {
        let error = keeper.source.error(failure)
        if isAhead, failure.isPassing { throw error }
        switch failure.kind {
        case .dead where keeper.source.refreshes: return try await afterDeath(failure, kept)
        case .passing(let wait):
            if failure.status.map({ ![429, 503].contains($0) }) ?? false { try doubt(error, kept) }
            return FailedTry(error, isLimit: failure.status == 429, asked: wait)
        case .unreachable(let http):
            if http.code == .cancelled { throw CancellationError() }
            if http.mayHaveArrived { try doubt(error, kept) }
            guard SourceFault.isPassing(http) else { throw error }
            return FailedTry(error)
        case .unreadable:
            // A page for people instead of an answer comes again, as a rule: two are enough.
            let doubts = state.withLock { state in
                state.doubts += 1
                return state.doubts
            }
            if doubts > 1 || !keeper.source.refreshes { throw error }
            return FailedTry(error)
        default: throw error
        }
    }

    /// Notes that nobody knows whether a refresh had its effect. Where refresh tokens work once only it is tried once more:
    /// some services allow that, and others take more of it for theft.
    private func doubt(_ error: PlugError, _ kept: KeptGrant?) throws {
        let doubts = state.withLock { state in
            state.doubts += 1
            return state.doubts
        }
        let rotates = keeper.source.rotates ?? kept?.rotates ?? true
        guard keeper.source.refreshes, rotates, doubts > 1 else { return }
        throw PlugError(
            .tokenDoubtful,
            "\(error.message); the refresh token may be used up, so it is not tried again now",
            advice: "run it again later; it continues where it stopped",
            reach: .run
        )
    }

    /// The service calls the refresh token dead: that counts only if nobody has a newer one. The right to renew is still
    /// this try's.
    private func afterDeath(_ failure: TokenFailure, _ kept: KeptGrant?) async throws -> FailedTry {
        _ = try await keeper.adoptNewer()
        let again = FailedTry(keeper.source.error(failure), asked: .zero)
        guard let now = keeper.kept else { throw dead(failure) }
        // The mark that a refresh was begun is no other grant.
        if now.grant != kept?.grant { return again }
        let hasTriedPrevious = state.withLock { state in
            defer { state.hasTriedPrevious = true }
            return state.hasTriedPrevious
        }
        var next = now
        if let previous = now.previous, !hasTriedPrevious {
            next.grant.refreshToken = previous
            next.previous = nil
            _ = try await keeper.keep(next)
            return again
        }
        next.isDead = true
        next.isRenewing = kept?.isRenewing ?? false
        guard try await keeper.keep(next) else { return again }
        throw dead(failure)
    }

    private func dead(_ failure: TokenFailure) -> PlugError {
        var error = keeper.source.error(failure)
        if keeper.kept?.isRenewing == true {
            error.message += "; an earlier refresh ended without an answer that was kept"
        }
        return error
    }

    private var connectFirst: PlugError {
        PlugError(
            .connectFirst,
            "nobody has consented yet that \(keeper.source.host) is read for this connection",
            advice: "connect with 'plughost connect', with the same --connection, or the same PDA and configuration",
            reach: .run
        )
    }

    /// Tells of a grant that is smaller than what was asked for.
    private func warnOfScopes(_ kept: KeptGrant) {
        let missing = ScopeList.missing(from: kept.grant.scopes, of: keeper.source.scopes)
        if missing.isEmpty { return }
        let list = missing.prefix(5).map { "'\($0)'" }.joined(separator: ", ")
        exchange.warnOnce(stream, .scopeMissing, "\(keeper.source.host) did not grant \(list)")
    }
}

extension TokenFailure {
    /// Whether it says nothing about the grant.
    fileprivate var isPassing: Bool {
        switch kind {
        case .passing, .unreachable, .unreadable: true
        default: false
        }
    }
}
