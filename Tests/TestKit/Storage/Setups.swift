package import PlugCore
package import PlugStorage

extension MemoryStore {
    /// A set-up with its claim.
    struct KeptSetup {
        var setup: ConnectionSetup
        var epoch: Int64
        var ranAt: Int64?
        /// The first due time that was not served.
        var waitsSince: Int64
        var deaths = 0
        var isPlanned = false
        /// When the claim ends; `nil` while nobody has claimed it.
        var claimedUntil: Int64?

        /// When it can be claimed next.
        var claimable: Int64? { setup.status == .active ? claimedUntil ?? setup.dueAt : nil }
    }

    /// See `PlugStore`.
    package func addConnection(
        _ id: ConnectionID,
        plug: String,
        pda: String,
        token: KeptToken?,
        setup: ConnectionSetup,
        _ change: AuditEntry
    ) throws -> Connection? {
        guard known[id] == nil else { return nil }
        let connection = try openConnection(id, plug: plug, pda: pda)
        if let token { try keepToken(token, of: id) }
        try keepSetup(setup, of: id, change)
        return connection
    }

    /// See `PlugStore`.
    package func connectionsChanged(since place: Int64?) -> (connections: [Connection], place: Int64) {
        let changed = Set(changeLog.dropFirst(Int(place ?? Int64(changeLog.count))))
        return (
            known.values.filter { changed.contains($0.id) }.sorted { $0.id.name < $1.id.name }, Int64(changeLog.count)
        )
    }

    /// See `PlugStore`.
    package func keepSetup(_ setup: ConnectionSetup, of connection: ConnectionID, _ change: AuditEntry) throws {
        try require(connection)
        if setup.status == .active { endTrouble(of: connection) }
        setups[connection] = KeptSetup(
            setup: setup,
            epoch: (setups[connection]?.epoch ?? 0) + 1,
            waitsSince: setup.dueAt ?? 0
        )
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
        if status == .active { endTrouble(of: connection) }
        (kept.setup.status, kept.setup.dueAt) = (status, dueAt)
        kept.claimedUntil = nil
        (kept.ranAt, kept.deaths, kept.isPlanned) = (nil, 0, false)
        kept.waitsSince = dueAt ?? 0
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
        let waits = kept.claimedUntil == nil && kept.setup.dueAt != nil
        kept.waitsSince = waits ? min(kept.waitsSince, time) : time
        (kept.setup.dueAt, kept.claimedUntil, kept.isPlanned) = (time, nil, false)
        kept.epoch += 1
        setups[connection] = kept
        return true
    }

    /// See `PlugStore`.
    package func claimDue(_ wish: ClaimWish) -> DueClaims {
        let lines = lines
        var due: [String: [(id: ConnectionID, at: Int64)]] = [:]
        for line in lines where line.first <= wish.at {
            let room = wish.room(of: line.plug, among: lines)
            due[line.plug] = Array(claimable(of: line.plug).filter { $0.at <= wish.at }.prefix(min(room, wish.limit)))
        }
        let shares = wish.shares(of: due.mapValues { $0.map(\.at) })
        var claims: [DueClaim] = []
        for (plug, share) in shares {
            for (id, at) in due[plug, default: []].prefix(share) {
                guard var kept = setups[id] else { continue }
                kept.claimedUntil = wish.until
                kept.epoch += 1
                setups[id] = kept
                claims.append(
                    DueClaim(
                        connection: id,
                        plug: plug,
                        dueAt: at,
                        waitsSince: kept.waitsSince,
                        ranAt: kept.ranAt,
                        epoch: kept.epoch
                    )
                )
            }
        }
        claims.sort { ($0.dueAt, $0.connection.name) < ($1.dueAt, $1.connection.name) }
        return DueClaims(claims: claims, next: wish.next(among: self.lines))
    }

    private var lines: [ClaimWish.Line] {
        Set(setups.keys.compactMap { known[$0]?.plug }).compactMap { plug in
            claimable(of: plug).first.map { ClaimWish.Line(plug: plug, first: $0.at) }
        }
    }

    private func claimable(of plug: String) -> [(id: ConnectionID, at: Int64)] {
        setups.filter { known[$0.key]?.plug == plug }
            .compactMap { id, kept in kept.claimable.map { (id: id, at: $0, since: kept.waitsSince) } }
            .sorted { ($0.at, $0.since, $0.id.name) < ($1.at, $1.since, $1.id.name) }
            .map { ($0.id, $0.at) }
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
        setups[claim.connection]?.isPlanned = end.ranAt != nil
        setups[claim.connection]?.waitsSince = end.waitsSince ?? end.dueAt ?? 0
        setups[claim.connection]?.deaths = 0
        setups[claim.connection]?.claimedUntil = nil
        if let failure = end.failure {
            keep(
                ConnectionTrouble.Change(outcome: "failed", RunTally(error: failure)),
                of: claim.connection,
                at: end.at
            )
        }
        if end.status != .active {
            note(AuditEntry(at: end.at, who: "host", what: end.status.rawValue), of: claim.connection)
        }
        return true
    }

    /// See `PlugStore`.
    package func releaseClaims(at now: Int64) -> ReleasedClaims {
        var released = ReleasedClaims()
        let claimed = setups.filter { $0.value.claimedUntil != nil }
            .sorted { ($0.value.waitsSince, $0.key.name) < ($1.value.waitsSince, $1.key.name) }
        for (id, kept) in claimed {
            let due = released.add(due: kept.setup.dueAt ?? now, deaths: kept.deaths + 1, now: now)
            setups[id]?.setup.dueAt = due
            setups[id]?.deaths += 1
            setups[id]?.claimedUntil = nil
            setups[id]?.epoch += 1
        }
        return released
    }

    /// See `PlugStore`.
    package func plannedSetups(after name: String, limit: Int) -> [PlannedSetup] {
        let planned = setups.compactMap { id, kept -> PlannedSetup? in
            guard id.name > name, kept.setup.status == .active, kept.claimedUntil == nil, let due = kept.setup.dueAt,
                let plug = known[id]?.plug
            else { return nil }
            return PlannedSetup(
                connection: id,
                plug: plug,
                dueAt: due,
                isPlanned: kept.isPlanned,
                ranAt: kept.ranAt,
                epoch: kept.epoch,
                content: kept.setup.content
            )
        }
        return Array(planned.sorted { $0.connection.name < $1.connection.name }.prefix(limit))
    }

    /// See `PlugStore`.
    package func reschedule(_ planned: [PlannedSetup]) -> Int {
        var count = 0
        for other in planned {
            guard let kept = setups[other.connection], kept.epoch == other.epoch, kept.claimedUntil == nil,
                kept.setup.status == .active
            else { continue }
            setups[other.connection]?.setup.dueAt = other.dueAt
            setups[other.connection]?.waitsSince = other.dueAt
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

    /// A connection that becomes active begins anew.
    private func endTrouble(of connection: ConnectionID) {
        if let status = setups[connection]?.setup.status, status != .active { known[connection]?.trouble = nil }
    }

    private func counts(_ claim: DueClaim) -> Bool {
        guard let kept = setups[claim.connection] else { return false }
        return kept.epoch == claim.epoch && kept.claimedUntil != nil
    }

    func note(_ change: AuditEntry, of connection: ConnectionID) {
        changeLog.append(connection)
        changes[connection, default: []].append(change)
        changes[connection] = changes[connection].map { Array($0.suffix(200)) }
    }
}

extension ForwardingStore {
    package func makeDue(_ connection: ConnectionID, at time: Int64) async throws -> Bool {
        try await writing("make \(connection) due") { try await store.makeDue(connection, at: time) }
    }
    package func setup(of connection: ConnectionID) async throws -> ConnectionSetup? {
        try await reading { try await store.setup(of: connection) }
    }
    package func nextDue() async throws -> Int64? { try await reading { try await store.nextDue() } }
    package func plannedSetups(after name: String, limit: Int) async throws -> [PlannedSetup] {
        try await reading { try await store.plannedSetups(after: name, limit: limit) }
    }
    package func audit(of connection: ConnectionID) async throws -> [AuditEntry] {
        try await reading { try await store.audit(of: connection) }
    }
    package func addConnection(
        _ id: ConnectionID,
        plug: String,
        pda: String,
        token: KeptToken?,
        setup: ConnectionSetup,
        _ change: AuditEntry
    ) async throws -> Connection? {
        try await writing("add \(id)") {
            try await store.addConnection(id, plug: plug, pda: pda, token: token, setup: setup, change)
        }
    }
    package func connectionsChanged(since place: Int64?) async throws -> (connections: [Connection], place: Int64) {
        try await store.connectionsChanged(since: place)
    }
    package func keepSetup(
        _ setup: ConnectionSetup,
        of connection: ConnectionID,
        _ change: AuditEntry
    ) async throws {
        try await writing("keep set-up of \(connection)") { try await store.keepSetup(setup, of: connection, change) }
    }
    package func changeSetup(
        of connection: ConnectionID,
        status: ConnectionSetup.Status,
        dueAt: Int64?,
        _ change: AuditEntry
    ) async throws -> Bool {
        try await writing("change set-up of \(connection)") {
            try await store.changeSetup(of: connection, status: status, dueAt: dueAt, change)
        }
    }
    package func claimDue(_ wish: ClaimWish) async throws -> DueClaims {
        try await writing("claim") { try await store.claimDue(wish) }
    }
    package func extendClaim(_ claim: DueClaim, until: Int64) async throws -> Bool {
        try await writing("extend claim of \(claim.connection)") { try await store.extendClaim(claim, until: until) }
    }
    package func endClaim(
        _ claim: DueClaim,
        _ end: ClaimEnd
    ) async throws -> Bool {
        try await writing("end claim of \(claim.connection)") {
            try await store.endClaim(claim, end)
        }
    }
    package func releaseClaims(at now: Int64) async throws -> ReleasedClaims {
        try await writing("release claims") { try await store.releaseClaims(at: now) }
    }
    package func reschedule(_ setups: [PlannedSetup]) async throws -> Int {
        try await writing("reschedule") { try await store.reschedule(setups) }
    }
}
