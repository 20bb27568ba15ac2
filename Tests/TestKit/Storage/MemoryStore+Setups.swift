package import PlugCore
package import PlugStorage

extension MemoryStore {
    /// A set-up with its claim.
    struct KeptSetup {
        var setup: ConnectionSetup
        var epoch: Int64
        var ranAt: Int64?
        /// When the claim ends; `nil` while nobody has claimed it.
        var claimedUntil: Int64?

        /// When it can be claimed next.
        var claimable: Int64? { setup.status == .active ? claimedUntil ?? setup.dueAt : nil }
    }

    /// See `PlugStore`.
    package func keepSetup(_ setup: ConnectionSetup, of connection: ConnectionID, _ change: AuditEntry) throws {
        try require(connection)
        setups[connection] = KeptSetup(setup: setup, epoch: (setups[connection]?.epoch ?? 0) + 1)
        note(change, of: connection)
    }

    /// See `PlugStore`.
    package func setup(of connection: ConnectionID) -> ConnectionSetup? { setups[connection]?.setup }

    /// See `PlugStore`.
    package func changeSetup(
        of connection: ConnectionID,
        status: ConnectionSetup.Status,
        dueAt: Int64?,
        _ change: AuditEntry
    ) throws -> Bool {
        try require(connection)
        guard var kept = setups[connection] else { return false }
        (kept.setup.status, kept.setup.dueAt) = (status, dueAt)
        kept.claimedUntil = nil
        kept.ranAt = nil
        kept.epoch += 1
        setups[connection] = kept
        note(change, of: connection)
        return true
    }

    /// See `PlugStore`.
    package func makeDue(_ connection: ConnectionID, at time: Int64) -> Bool {
        guard var kept = setups[connection], kept.setup.status == .active, kept.claimable ?? .max > time else {
            return false
        }
        (kept.setup.dueAt, kept.claimedUntil) = (time, nil)
        kept.epoch += 1
        setups[connection] = kept
        return true
    }

    /// See `PlugStore`.
    package func claimDue(at now: Int64, until: Int64, limit: Int) -> [DueClaim] {
        let due = setups.compactMap { id, kept in kept.claimable.map { (id: id, at: $0) } }
            .filter { $0.at <= now }
            .sorted { ($0.at, $0.id.name) < ($1.at, $1.id.name) }
        return due.prefix(limit).compactMap { id, at in
            guard var kept = setups[id], let connection = known[id] else { return nil }
            kept.claimedUntil = until
            kept.epoch += 1
            setups[id] = kept
            return DueClaim(connection: id, plug: connection.plug, dueAt: at, ranAt: kept.ranAt, epoch: kept.epoch)
        }
    }

    /// See `PlugStore`.
    package func extendClaim(_ claim: DueClaim, until: Int64) -> Bool {
        guard counts(claim) else { return false }
        setups[claim.connection]?.claimedUntil = until
        return true
    }

    /// See `PlugStore`.
    package func endClaim(
        _ claim: DueClaim,
        _ end: ClaimEnd
    ) -> Bool {
        guard counts(claim) else { return false }
        setups[claim.connection]?.setup.status = end.status
        setups[claim.connection]?.setup.dueAt = end.dueAt
        if let ranAt = end.ranAt { setups[claim.connection]?.ranAt = ranAt }
        setups[claim.connection]?.claimedUntil = nil
        if end.status != .active {
            note(AuditEntry(at: end.at, who: "host", what: end.status.rawValue), of: claim.connection)
        }
        return true
    }

    /// See `PlugStore`.
    package func releaseClaims() -> Int {
        var count = 0
        for (id, kept) in setups where kept.claimedUntil != nil {
            setups[id]?.claimedUntil = nil
            setups[id]?.epoch += 1
            count += 1
        }
        return count
    }

    /// See `PlugStore`.
    package func nextDue() -> Int64? { setups.values.compactMap(\.claimable).min() }

    /// See `PlugStore`.
    package func audit(of connection: ConnectionID) -> [AuditEntry] {
        Array((changes[connection] ?? []).suffix(200).reversed())
    }

    private func counts(_ claim: DueClaim) -> Bool {
        guard let kept = setups[claim.connection] else { return false }
        return kept.epoch == claim.epoch && kept.claimedUntil != nil
    }

    func note(_ change: AuditEntry, of connection: ConnectionID) {
        changes[connection, default: []].append(change)
        changes[connection] = changes[connection].map { Array($0.suffix(200)) }
    }
}
