import OAuth
import PlugCore
import Synchronization

/// The part that outlives the run.
extension TokenKeeper {
    /// How long to wait for another process that is renewing: a few requests, and a briefly busy disk.
    private static let patience = Duration.seconds(240)
    /// The interval between checks.
    private static let look = Duration.milliseconds(50)

    /// Waits for the exclusive right to renew; `nil` without a vault.
    func right() async throws -> ConnectionLease? {
        guard let vault else { return nil }
        let end = clock.steady().microseconds + Self.patience.wholeMicroseconds
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

    /// Adopts the vault's grant if it differs from the known one.
    ///
    /// - Returns: Whether it differed.
    func adoptNewer() async throws -> Bool {
        guard let vault, let stored = try await vault.grant(id) else { return false }
        guard state.withLock({ $0.version != stored.version }) else { return false }
        let found = try found(stored.content)
        let kept = found.flatMap(own)
        kept?.secrets.forEach(redactor.issue)
        state.withLock { state in
            state.adoptStored(kept, version: stored.version, now: clock.now())
            state.isForeign = found != nil && kept == nil
        }
        return true
    }

    /// The vault's grant, `nil` if it is not readable.
    private func found(_ content: Secret) throws(PlugError) -> KeptGrant? {
        do { return try KeptGrant(content) } catch {
            // A login starts afresh; a consent is not thrown away.
            guard source.needsConsent else { return nil }
            throw PlugError(
                .grantUnreadable,
                "the saved consent of the connection '\(id.connection)' cannot be read",
                advice: "use the newest plughost that has used this state, or connect again with 'plughost connect'"
            )
        }
    }

    /// The part of a kept grant that is usable by the source: the access token only if it was requested in the same way, and
    /// nothing of another client's, or from another configured refresh token.
    private func own(_ kept: KeptGrant) -> KeptGrant? {
        guard kept.owner == source.owner else { return nil }
        if kept.asked == nil || kept.asked == source.asked { return kept }
        guard source.refreshes else { return nil }
        // Other scopes or parameters: another access token, from the same refresh token.
        var kept = kept
        kept.grant.accessToken = nil
        return kept
    }

    /// The known grant.
    var kept: KeptGrant? { state.withLock { $0.kept } }

    /// Stores a grant in place of the known one.
    ///
    /// - Parameter isNew: Whether it was just obtained.
    /// - Returns: Whether it is kept; `false` if another process has changed it: then that grant is known now.
    func keep(_ kept: KeptGrant, isNew: Bool = false) async throws -> Bool {
        kept.secrets.forEach(redactor.issue)
        // A grant with neither a means of renewal nor a known expiry is not worth storing: the next run starts afresh.
        let isKept = source.refreshes || kept.grant.expires != nil
        guard let vault, isKept else {
            state.withLock { $0.adopt(kept, version: $0.version, isNew: isNew, now: clock.now()) }
            return true
        }
        let version = state.withLock { $0.version }
        let renewal = renewal(of: kept, isNew: isNew)
        if let next = try await vault.keepGrant(kept.content, as: id, replacing: version, renewal: renewal) {
            state.withLock { $0.adopt(kept, version: next, isNew: isNew, now: clock.now()) }
            return true
        }
        _ = try await adoptNewer()
        return false
    }

    /// When a grant is renewed although no run needs it. A mark on it does not affect that.
    private func renewal(of kept: KeptGrant, isNew: Bool) -> GrantRenewal {
        if kept.isDead { return .at(nil) }
        guard isNew else { return .asItIs }
        return .at(kept.grant.keepAlive(every: source.keepAlive) { clock.random() })
    }

    /// Stores what cannot be obtained again, even if the disk is not ready at once. Until then nothing else is requested.
    ///
    /// - Returns: `false` if another process has stored its own grant meanwhile, as `connect` does: that one counts.
    func keepSurely(_ unkept: TokenState.Unkept) async throws -> Bool {
        state.withLock { $0.unkept = unkept }
        var wait = Duration.milliseconds(200)
        for attempt in 1... {
            do {
                let isKept = try await keep(unkept.grant, isNew: true)
                // A mark on the grant that this answer continues does not make it another grant.
                if !isKept, continues(unkept), attempt < Self.keepingTries { continue }
                state.withLock { $0.unkept = nil }
                return isKept
            } catch let error as PlugError {
                guard error.exit == .tryLater, attempt < Self.keepingTries else { throw unkeptError(unkept, error) }
            }
            try await clock.sleep(for: wait)
            wait = wait * 2
        }
        return false
    }

    /// How often storing a service's one-time grant is tried: over some 25 seconds.
    private static let keepingTries = 8

    /// Whether the known grant is the one that an answer continues.
    private func continues(_ unkept: TokenState.Unkept) -> Bool {
        guard let kept, let shown = unkept.shown else { return self.kept == nil }
        return kept.grant.refreshToken == shown
    }

    private func unkeptError(_ unkept: TokenState.Unkept, _ error: PlugError) -> PlugError {
        // Without a new refresh token nothing is lost.
        guard let token = unkept.grant.grant.refreshToken, token != unkept.shown else { return error }
        return PlugError(
            .tokenUnkept,
            "\(source.host) replaced the refresh token, and the new one could not be saved: \(error.message)",
            advice: "free some space on the disk of the state folder; if the next run then says so, connect again with "
                + "'plughost connect', or configure a new refresh token",
            reach: .run
        )
    }

    /// Checks that the result of a refresh can be kept, or need not be.
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
