import CurlTransport
import OAuth
import PlugCore
import PlugManifest
import Synchronization
import Throttling

/// One renewal of a token, over all its attempts.
struct Renewal: Sendable {
    let keeper: TokenKeeper
    let refused: TokenKeeper.Token?
    /// Whether the current token is still valid: then there is no waiting.
    let isAhead: Bool
    let stream: String
    let exchange: Exchange

    /// One attempt. It queues first: the holder of the right to renew waits only for the answer and the disk.
    ///
    /// - Throws: `PlugError` if another attempt would not help.
    func attempt(isRetry: Bool) async throws -> RetryingSender.Verdict<TokenKeeper.Token> {
        if keeper.source.needsConsent, keeper.kept == nil { throw connectFirst }
        return try await exchange.inTurn(for: stream) {
            let right = try await keeper.right()
            defer { right?.end() }
            return try await shielded { departure in try await inside(departure) }
        }
    }

    /// One attempt by the holder of the right to renew.
    ///
    /// - Parameter departure: When no one waits for it any more the answer gets a little more time. The vault already marks the
    ///   request as doubtful by then, so that the next process knows as much as after a crash.
    private func inside(_ departure: Departure) async throws -> RetryingSender.Verdict<TokenKeeper.Token> {
        // Another process may have been faster.
        _ = try await keeper.adoptNewer()
        if let unkept = keeper.state.withLock({ $0.unkept }) { _ = try await keeper.keepSurely(unkept) }
        if let token = try keeper.fresh(instead: refused) { return .done(token) }
        let kept = keeper.kept
        if keeper.source.needsConsent, kept == nil { throw connectFirst }
        if kept?.isDead == true { throw dead(TokenFailure(.dead, "it was refused before")) }
        let shown = try proof(kept)
        do { return .done(try await obtain(kept, showing: shown, departure)) } catch let failure as TokenFailure {
            return .again(try await failedTry(redacted(failure), kept, showing: shown))
        }
    }

    /// The refresh token to use, if tokens are renewed.
    private func proof(_ kept: KeptGrant?) throws -> Secret? {
        guard keeper.source.refreshes else { return nil }
        guard let token = keeper.state.withLock({ $0.shown }) ?? keeper.source.givenRefreshToken else {
            throw PlugError(
                .connectAgain,
                "\(keeper.source.host) gave an access token without a refresh token, and it has expired",
                advice: "connect again with 'plughost connect'",
                reach: .run
            )
        }
        if rotates(kept), keeper.state.withLock({ $0.isTooDoubtful(token) }) {
            throw doubtful("\(keeper.source.host) did not answer a request with this refresh token")
        }
        return token
    }

    /// Whether refresh tokens are single-use, until there is better information.
    private func rotates(_ kept: KeptGrant?) -> Bool { keeper.source.rotates ?? kept?.rotates ?? true }

    /// Requests a token and keeps the result. Nothing comes between the answer and its being kept.
    private func obtain(
        _ kept: KeptGrant?,
        showing shown: Secret?,
        _ departure: Departure
    ) async throws -> TokenKeeper.Token {
        let source = keeper.source
        guard let shown else {
            let answer = try await departure.giveUp(clock: keeper.clock) {
                try await source.ask(showing: nil, for: stream, through: exchange)
            }
            let grant = Grant(answer, asked: source.scopes, now: exchange.clock.now())
            return try await taken(answer, KeptGrant(grant, of: source.owner, asked: source.asked), showing: nil)
        }
        try keeper.checkKeeping()
        // Writing to the vault is tried before something is used up, not after; and should this process end here, the record
        // tells the next one that the refresh token was used.
        let begun = Grant(refreshToken: shown, now: exchange.clock.now())
        var marked = kept ?? KeptGrant(begun, of: source.owner, asked: source.asked)
        marked.isShown = true
        guard try await keeper.keep(marked) else { return try await changed() }
        let answer: TokenAnswer
        do {
            answer = try await departure.giveUp(clock: keeper.clock) {
                try await source.ask(showing: shown, for: stream, through: exchange)
            }
        } catch {
            if let failure = error as? TokenFailure, let token = failure.refreshToken {
                var saved = marked.replaced(token, instead: shown)
                // It is the old one: a caller refused with it must not take it for another.
                saved.grant.accessToken = nil
                _ = try await keeper.keepSurely(TokenState.Unkept(grant: saved, shown: shown))
            }
            throw error
        }
        var next = marked.renewed(by: answer, showing: shown, asked: source.asked, now: exchange.clock.now())
        // If no consent says what was granted, an answer without scopes grants those requested.
        if !source.needsConsent, answer.scopes == nil { next.grant.scopes = source.scopes }
        return try await taken(answer, next, showing: shown)
    }

    /// Keeps what an answer has granted.
    private func taken(
        _ answer: TokenAnswer,
        _ next: KeptGrant,
        showing shown: Secret?
    ) async throws -> TokenKeeper.Token {
        guard try await keeper.keepSurely(TokenState.Unkept(grant: next, shown: shown)) else {
            return try await changed()
        }
        for reason in answer.unread {
            exchange.warnOnce(stream, .tokenFieldUnread, "the answer of \(keeper.source.host) with a token: \(reason)")
        }
        warnOfScopes(next)
        guard let token = try keeper.newest() else { return try await changed() }
        return token
    }

    /// Another process has stored a grant meanwhile, as `connect` does: that one counts.
    private func changed() async throws -> TokenKeeper.Token {
        if let token = try keeper.fresh(instead: refused) { return token }
        throw TokenFailure(.passing(after: .zero), "another process has changed the grant meanwhile")
    }

    // MARK: - Failures

    /// The service's words, without the secrets that this run knows: they may occur in parameters and headers.
    private func redacted(_ failure: TokenFailure) -> TokenFailure {
        var failure = failure
        failure.reason = exchange.redactor.shown(whole: failure.reason)
        failure.quote = failure.quote.map { exchange.redactor.shown(whole: $0) }
        failure.code = failure.code.map { exchange.redactor.shown(whole: $0) }
        return failure
    }

    /// The error of a failure, without the service's own words.
    private func error(_ failure: TokenFailure) -> PlugError {
        let error = keeper.source.error(failure)
        return failure.quote.map(error.hiding) ?? error
    }

    /// What a failure leads to.
    private func failedTry(
        _ failure: TokenFailure,
        _ kept: KeptGrant?,
        showing shown: Secret?
    ) async throws -> FailedTry {
        let error = self.error(failure)
        let isTooDoubtful = try await settle(failure, kept, showing: shown)
        if failure.kind == .dead, let shown { return try await afterDeath(failure, kept, showing: shown) }
        if case .unreachable(let http) = failure.kind, http.code == .cancelled { throw CancellationError() }
        // Before it expires the token remains in use.
        if isAhead { throw error }
        if isTooDoubtful { throw doubtful(error.message) }
        switch failure.kind {
        case .passing(let wait): return FailedTry(error, isLimit: failure.status == 429, asked: wait)
        case .unreachable(let http):
            guard SourceFault.isPassing(http) else { throw error }
            return FailedTry(error)
        // A web page instead of an answer usually comes again: two are enough.
        case .unreadable where shown.map { token in keeper.state.withLock { !$0.isTooDoubtful(token) } } ?? false:
            return FailedTry(error)
        default: throw error
        }
    }

    /// Records what a failure says about the refresh token that was used: also before expiry, where it is just as used up.
    ///
    /// - Returns: Whether its outcome was unknown too often, so that it is not used again in this run.
    private func settle(_ failure: TokenFailure, _ kept: KeptGrant?, showing shown: Secret?) async throws -> Bool {
        guard let shown else { return false }
        if failure.isDoubtful { keeper.state.withLock { $0.doubt(shown) } }
        if failure.kind == .unusable {
            // It would be the same answer, and cost a refresh token each time.
            keeper.state.withLock { state in
                if let end = state.kept?.grant.expires { state.quietUntil = end }
            }
        }
        let (isDoubtful, isTooDoubtful) = keeper.state.withLock { ($0.isDoubtful(shown), $0.isTooDoubtful(shown)) }
        // The mark is kept only as long as caution is needed. If it cannot be removed, others are cautious for too long.
        if !(isDoubtful && rotates(kept)), failure.kind != .dead, var known = keeper.kept, known.isShown {
            known.isShown = false
            _ = try? await keeper.keep(known)
        }
        return isTooDoubtful && rotates(kept) && failure.kind != .unreadable
    }

    private func doubtful(_ message: String) -> PlugError {
        PlugError(
            .tokenDoubtful,
            "\(message); the refresh token may be used up, so it is not tried again now",
            advice: "run it again later; it continues where it stopped",
            reach: .run
        )
    }

    /// The service calls the refresh token dead: that counts only if no one has a newer one, and the previous one is dead, too.
    /// This attempt still holds the right to renew.
    private func afterDeath(
        _ failure: TokenFailure,
        _ kept: KeptGrant?,
        showing shown: Secret
    ) async throws -> FailedTry {
        keeper.state.withLock { $0.refuse(shown) }
        _ = try await keeper.adoptNewer()
        let again = FailedTry(error(failure), asked: .zero)
        guard var next = keeper.kept else { throw dead(failure) }
        // The mark that a refresh was begun does not make it another grant.
        if let kept, next.grant != kept.grant { return again }
        if let other = keeper.state.withLock({ $0.shown }), other != shown { return again }
        next.isDead = true
        next.isShown = keeper.state.withLock { $0.isDoubtful(shown) }
        guard try await keeper.keep(next) else { return again }
        throw dead(failure)
    }

    private func dead(_ failure: TokenFailure) -> PlugError {
        var error = self.error(failure)
        if keeper.kept?.isShown == true {
            error.message += "; an earlier refresh ended without an answer that was kept"
        }
        return error
    }

    private var connectFirst: PlugError {
        let isForeign = keeper.state.withLock { $0.isForeign }
        return PlugError(
            .connectFirst,
            isForeign
                ? "this connection's consent was given to another client than the one that asks now"
                : "nobody has consented yet to plughost reading \(keeper.source.host) for this connection",
            advice: isForeign
                ? "connect again with 'plughost connect', or give plughost the client that it was given to"
                : "connect with 'plughost connect', with the same --connection, or the same PDA and configuration",
            reach: .run
        )
    }

    /// Warns of a grant that is smaller than what was requested.
    private func warnOfScopes(_ kept: KeptGrant) {
        let missing = ScopeList.missing(from: kept.grant.scopes, of: keeper.source.scopes)
        if missing.isEmpty { return }
        let list = missing.prefix(5).map { "'\($0)'" }.joined(separator: ", ")
        exchange.warnOnce(stream, .scopeMissing, "\(keeper.source.host) did not grant \(list)")
    }
}

extension TokenFailure {
    /// Whether the fate of a used refresh token is unknown: no answer, or one that says nothing about it.
    fileprivate var isDoubtful: Bool {
        switch kind {
        case .passing: status.map { ![429, 503].contains($0) } ?? false
        case .unreachable(let error): error.mayHaveArrived
        case .unreadable: true
        default: false
        }
    }
}
