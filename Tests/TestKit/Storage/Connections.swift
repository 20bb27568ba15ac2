package import PlugCore
package import PlugStorage

extension MemoryStore {
    /// See `PlugStore`. The fingerprint key is random.
    package func openConnection(_ id: ConnectionID, plug: String, pda: String) throws -> Connection {
        if let connection = known[id] { return try connection.checked(plug: plug, pda: pda) }
        let key = (0..<32).map { _ in UInt8.random(in: 0...255) }
        let connection = Connection(id: id, plug: plug, pda: pda, fingerprintKey: key, createdAt: clock.now())
        known[id] = connection
        return connection
    }

    /// See `PlugStore`.
    package func connection(_ id: ConnectionID) -> Connection? { known[id] }

    /// See `PlugStore`.
    package func connections() -> [Connection] {
        known.values.sorted { $0.id.name.utf8.lexicographicallyPrecedes($1.id.name.utf8) }
    }

    /// See `PlugStore`.
    package func connections(of plug: String, at pda: String) -> [Connection] {
        Array(connections().filter { $0.plug == plug && $0.pda == pda }.prefix(100))
    }

    /// See `PlugStore`.
    package func connections(at pda: String) -> [Connection] {
        Array(connections().filter { $0.pda == pda }.prefix(200))
    }

    /// See `PlugStore`.
    package func connections(_ search: ConnectionSearch) -> FoundConnections {
        let meant = connections().filter { connection in
            (search.plug == nil || connection.plug == search.plug)
                && (search.status == nil || setups[connection.id]?.setup.status == search.status)
                && search.takes(setups[connection.id]?.setup.status, connection.trouble)
        }
        func isNamed(_ connection: Connection) -> Bool { connection.id.name.hasPrefix(search.text) }
        let others = meant.filter { connection in
            !isNamed(connection) && search.addresses.contains { connection.pda.hasPrefix($0) }
        }
        var places = meant.filter(isNamed).map { ConnectionSearch.Place(name: $0.id.name) }
        places += others.map { ConnectionSearch.Place(name: $0.id.name, pda: $0.pda) }
            .sorted { ($0.pda ?? "", $0.name) < ($1.pda ?? "", $1.name) }
        if let after = search.after {
            places.removeAll { ($0.pda ?? "", $0.name) <= (after.pda ?? "", after.name) }
        }
        let page = places.prefix(search.limit)
        return FoundConnections(
            connections: page.compactMap { known[ConnectionID($0.name)] },
            next: places.count > page.count ? page.last : nil
        )
    }

    /// See `PlugStore`.
    package func briefs(_ search: ConnectionSearch) -> FoundBriefs {
        let found: FoundConnections = connections(search)
        return FoundBriefs(briefs: found.connections.compactMap { brief(of: $0.id) }, next: found.next)
    }

    /// See `PlugStore`.
    package func brief(of id: ConnectionID) -> ConnectionBrief? {
        guard let connection = known[id] else { return nil }
        var brief = ConnectionBrief(
            id: id,
            plug: connection.plug,
            pda: connection.pda,
            createdAt: connection.createdAt
        )
        let setup = setups[id]?.setup
        brief.status = setup?.status
        if setup?.status == .active { brief.dueAt = setup?.dueAt }
        brief.trouble = connection.trouble
        let runs = runs(of: id, limit: .max)
        brief.lastRun = runs.first
        if brief.lastRun?.outcome == "done" { brief.lastRun?.report = [] }
        brief.lastSuccess = runs.first { $0.outcome == "done" }?.endedAt
        for outbox in outboxes(of: id) {
            brief.waiting.batches += outbox.size.batches
            brief.waiting.bytes += outbox.size.bytes
            brief.waitingSince = min(brief.waitingSince ?? .max, outbox.since)
        }
        brief.deadLetters = letters.count { $0.connection == id }
        return brief
    }

    /// See `PlugStore`.
    @discardableResult
    package func eraseConnection(_ id: ConnectionID) -> ErasureReceipt? {
        guard let connection = known[id] else { return nil }
        let mine = streams.filter { $0.key.connection == id }.values
        let rows: [(kind: String, count: Int)] = [
            ("changes", changes[id]?.count ?? 0),
            ("consents", consents.count { $0.consent.connection == id }),
            ("dead_letters", letters.count { $0.connection == id }),
            ("grants", grants.keys.count { $0.connection == id }),
            ("inventory", mine.reduce(0) { $0 + $1.inventory.count }),
            ("ledger", mine.reduce(0) { $0 + $1.ledger.count }),
            ("notes", notes[ServerNote.name(of: id)] == nil ? 0 : 1),
            ("outbox_batches", batches.count { $0.stream.connection == id }),
            ("refusals", mine.reduce(0) { $0 + $1.refusals.count }),
            ("runs", allRuns.count { $0.start.connection == id }),
            ("setups", setups[id] == nil ? 0 : 1),
            ("states", mine.reduce(0) { $0 + $1.states.count }), ("streams", mine.count),
            ("tokens", tokens[id] == nil ? 0 : 1),
        ]
        known[id] = nil
        tokens[id] = nil
        setups[id] = nil
        consents.removeAll { $0.consent.connection == id }
        changes[id] = nil
        grants = grants.filter { $0.key.connection != id }
        renewals = renewals.filter { $0.key.connection != id }
        streams = streams.filter { $0.key.connection != id }
        letters.removeAll { $0.connection == id }
        batches.removeAll { $0.stream.connection == id }
        allRuns.removeAll { $0.start.connection == id }
        notes[ServerNote.name(of: id)] = nil
        return ErasureReceipt(
            of: connection,
            key: "memory",
            erasedAt: clock.now(),
            rows: rows,
            isLogEmpty: true
        )
    }

    /// See `PlugStore`.
    package func streamNames(of connection: ConnectionID) -> [String] {
        streams.keys.filter { $0.connection == connection }.map(\.stream).sorted()
    }

    /// See `PlugStore`. Does not wait.
    package func lease(_ connection: ConnectionID) throws -> ConnectionLease {
        try require(connection)
        guard let lease = leased.lease(connection) else { throw StoreErrors.leased(connection) }
        return lease
    }

    /// See `PlugStore`.
    package func isLeased(_ connection: ConnectionID) -> Bool { leased.has(connection) }

    /// See `PlugStore`.
    package func keptToken(of connection: ConnectionID) -> KeptToken? { tokens[connection] }

    /// See `PlugStore`.
    package func keepToken(_ token: KeptToken, of connection: ConnectionID) throws {
        try require(connection)
        if let kept = tokens[connection], kept.issuedAt >= token.issuedAt { return }
        tokens[connection] = token
    }
}

extension ForwardingStore {
    package func connection(_ id: ConnectionID) async throws -> Connection? {
        try await reading { try await store.connection(id) }
    }
    package func connections() async throws -> [Connection] { try await reading { try await store.connections() } }
    package func connections(of plug: String, at pda: String) async throws -> [Connection] {
        try await reading { try await store.connections(of: plug, at: pda) }
    }
    package func connections(at pda: String) async throws -> [Connection] {
        try await reading { try await store.connections(at: pda) }
    }
    package func briefs(_ search: ConnectionSearch) async throws -> FoundBriefs {
        try await reading { try await store.briefs(search) }
    }
    package func brief(of connection: ConnectionID) async throws -> ConnectionBrief? {
        try await reading { try await store.brief(of: connection) }
    }
    package func connections(_ search: ConnectionSearch) async throws -> FoundConnections {
        try await reading { try await store.connections(search) }
    }
    package func isLeased(_ connection: ConnectionID) async throws -> Bool {
        try await reading { try await store.isLeased(connection) }
    }
    package func lease(_ connection: ConnectionID) async throws -> ConnectionLease {
        try await reading { try await store.lease(connection) }
    }
    package func streamNames(of connection: ConnectionID) async throws -> [String] {
        try await reading { try await store.streamNames(of: connection) }
    }
    package func keptToken(of connection: ConnectionID) async throws -> KeptToken? {
        try await reading { try await store.keptToken(of: connection) }
    }
    package func openConnection(_ id: ConnectionID, plug: String, pda: String) async throws -> Connection {
        try await writing("open \(id)") { try await store.openConnection(id, plug: plug, pda: pda) }
    }
    package func eraseConnection(_ id: ConnectionID) async throws -> ErasureReceipt? {
        try await writing("erase \(id)") { try await store.eraseConnection(id) }
    }
    package func keepToken(_ token: KeptToken, of connection: ConnectionID) async throws {
        try await writing("keep token of \(connection)") { try await store.keepToken(token, of: connection) }
    }
}
