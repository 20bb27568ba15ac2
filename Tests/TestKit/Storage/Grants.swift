package import PlugCore
package import PlugStorage

extension MemoryStore {
    /// See `PlugStore`.
    package func grant(_ id: GrantID) -> StoredGrant? { grants[id] }

    /// See `PlugStore`.
    package func keepGrant(
        _ content: Secret,
        as id: GrantID,
        replacing version: Int64?,
        renewal: GrantRenewal
    ) throws -> Int64? {
        try require(id.connection)
        guard grants[id]?.version == version else { return nil }
        let next = (version ?? 0) + 1
        grants[id] = StoredGrant(content: content, version: next)
        if case .at(let time) = renewal { renewals[id] = time.map { (at: $0, tries: 0) } }
        return next
    }

    /// See `PlugStore`.
    package func lockGrant(_ id: GrantID) throws -> ConnectionLease? {
        try require(id.connection)
        return renewing.lease(id.connection)
    }

    /// See `PlugStore`.
    package func claimRenewals(at now: Int64, until: Int64, limit: Int) -> [DueRenewal] {
        let due = renewals.filter { $0.value.at <= now }
            .sorted { ($0.value.at, $0.key.description) < ($1.value.at, $1.key.description) }
        return due.prefix(limit).compactMap { id, renewal in
            guard let connection = known[id.connection] else { return nil }
            renewals[id]?.at = until
            return DueRenewal(grant: id, plug: connection.plug, tries: renewal.tries, until: until)
        }
    }

    /// See `PlugStore`.
    package func endRenewal(_ renewal: DueRenewal, _ end: RenewalEnd) {
        let id = renewal.grant
        switch end {
        case .done: if renewals[id]?.at == renewal.until { renewals[id] = nil }
        case .again(let time):
            if let kept = renewals[id], kept.at == renewal.until || kept.at < time {
                renewals[id] = (at: time, tries: kept.tries + 1)
            }
        case .reconnect(let version, let now):
            guard grants[id]?.version == version, var kept = setups[id.connection], kept.setup.status == .active else {
                return
            }
            (kept.setup.status, kept.setup.dueAt, kept.claimedUntil) = (.reconnect, nil, nil)
            kept.epoch += 1
            setups[id.connection] = kept
            note(AuditEntry(at: now, who: "host", what: "reconnect"), of: id.connection)
        }
    }

    /// See `PlugStore`.
    package func nextRenewal() -> Int64? { renewals.values.map(\.at).min() }
}

extension ForwardingStore {
    package func grant(_ id: GrantID) async throws -> StoredGrant? { try await reading { try await store.grant(id) } }
    package func lockGrant(_ id: GrantID) async throws -> ConnectionLease? {
        try await reading { try await store.lockGrant(id) }
    }
    package func claimRenewals(at now: Int64, until: Int64, limit: Int) async throws -> [DueRenewal] {
        try await writing("claim renewals") { try await store.claimRenewals(at: now, until: until, limit: limit) }
    }
    package func endRenewal(_ renewal: DueRenewal, _ end: RenewalEnd) async throws {
        try await writing("end renewal of \(renewal.grant)") { try await store.endRenewal(renewal, end) }
    }
    package func nextRenewal() async throws -> Int64? { try await reading { try await store.nextRenewal() } }
    package func keepGrant(
        _ content: Secret,
        as id: GrantID,
        replacing version: Int64?,
        renewal: GrantRenewal
    ) async throws -> Int64? {
        try await writing("keep grant \(id)") {
            try await store.keepGrant(content, as: id, replacing: version, renewal: renewal)
        }
    }
}
