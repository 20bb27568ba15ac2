package import PlugCore
package import PlugStorage
internal import Synchronization

/// A store that ends with its owner. It keeps the contract, except that nothing lasts.
package actor MemoryStore: PlugStore {
    struct Stream {
        var pass: Int64 = 1
        var states: [String: StreamState] = [:]
        /// The last pass in which each part was met.
        var met: [String: Int64] = [:]
        var ledger: [(pass: Int64, packed: [UInt8])] = []
        var inventory: [(pass: Int64, bytes: [UInt8])] = []
        var refusals: [RecordFingerprint: Int] = [:]
        var profile: StreamProfile?
    }

    let clock: any HostClock
    var known: [ConnectionID: Connection] = [:]
    var streams: [StreamID: Stream] = [:]
    var letters: [StoredDeadLetter] = []
    var batches: [StoredOutboxBatch] = []
    var tokens: [ConnectionID: KeptToken] = [:]
    var grants: [GrantID: StoredGrant] = [:]
    var setups: [ConnectionID: KeptSetup] = [:]
    var changes: [ConnectionID: [AuditEntry]] = [:]
    /// Whose set-up was changed, one after another.
    var changeLog: [ConnectionID] = []
    var consents: [KeptConsent] = []
    var allRuns: [StoredRun] = []
    /// What is summed up.
    var ended: [EndedMemoryRun] = []
    var sessions: [[UInt8]: StoredSession] = [:]
    var keys: [String: StoredAPIKey] = [:]
    var links: [[UInt8]: OneTimeLink] = [:]
    var hostChanges: [AuditEntry] = []
    private var notes: [String: ServerNote] = [:]
    private let leased = LeasedNames()
    let renewing = LeasedNames()
    /// When grants are renewed though no run needs them.
    var renewals: [GrantID: (at: Int64, tries: Int)] = [:]
    private var lastID: Int64 = 0

    /// An empty store.
    package init(clock: any HostClock = SystemClock()) { self.clock = clock }

    func nextID() -> Int64 {
        lastID += 1
        return lastID
    }

    func require(_ id: ConnectionID) throws {
        guard known[id] != nil else { throw StoreErrors.connectionUnknown(id) }
    }

    // MARK: - Connections and tokens

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

    // MARK: - Runs

    /// See `PlugStore`.
    package func beginRun(_ run: RunStart) throws -> Int64 {
        try require(run.connection)
        let id = nextID()
        allRuns.append(StoredRun(id: id, start: run, endedAt: nil, outcome: nil, report: []))
        let own = allRuns.filter { $0.start.connection == run.connection }
        let kept = Set(own.suffix(StoredRun.kept).map(\.id)).union(
            [own.last { $0.outcome == "done" }?.id, own.last { $0.endedAt != nil }?.id].compactMap { $0 }
        )
        allRuns.removeAll { $0.start.connection == run.connection && !kept.contains($0.id) }
        return id
    }

    /// See `PlugStore`.
    package func endRun(_ id: Int64, outcome: String, report: [UInt8], tally: RunTally) throws {
        guard let index = allRuns.firstIndex(where: { $0.id == id }) else { throw StoreErrors.runUnknown(id) }
        let (start, now) = (allRuns[index].start, clock.now())
        if allRuns[index].endedAt == nil, let plug = known[start.connection]?.plug {
            ended.append(EndedMemoryRun(plug: plug, start: start, endedAt: now, outcome: outcome, tally: tally))
        }
        allRuns[index].endedAt = now
        allRuns[index].outcome = outcome
        allRuns[index].report = report
    }

    /// See `PlugStore`.
    package func runs(of connection: ConnectionID?, limit: Int) -> [StoredRun] {
        let meant = allRuns.reversed().lazy.filter { connection == nil || $0.start.connection == connection }
        return Array(meant.prefix(max(0, limit)))
    }

    /// See `PlugStore`.
    package func run(_ id: Int64) -> StoredRun? { allRuns.first { $0.id == id } }

    // MARK: - Server notes

    /// See `PlugStore`.
    package func serverNotes() -> [ServerNote] { notes.values.filter { $0.expiresAt > clock.now() } }

    /// See `PlugStore`.
    package func serverNote(_ name: String) -> ServerNote? {
        notes[name].flatMap { $0.expiresAt > clock.now() ? $0 : nil }
    }

    /// See `PlugStore`.
    package func changeServerNote(_ name: String, _ change: @escaping @Sendable (ServerNote?) -> ServerNote?) {
        if let note = change(serverNote(name)) { keepServerNotes([note]) }
    }

    /// See `PlugStore`.
    package func keepServerNotes(_ new: [ServerNote]) {
        for note in new { notes[note.name] = note }
        notes = notes.filter { $0.value.expiresAt > clock.now() }
    }
}

/// The connections that somebody has leased.
final class LeasedNames: Sendable {
    private let names = Mutex<Set<ConnectionID>>([])

    /// Whether somebody has it.
    func has(_ connection: ConnectionID) -> Bool { names.withLock { $0.contains(connection) } }

    /// The lease, `nil` where somebody has it.
    func lease(_ connection: ConnectionID) -> ConnectionLease? {
        guard names.withLock({ $0.insert(connection).inserted }) else { return nil }
        return ConnectionLease { self.names.withLock { _ = $0.remove(connection) } }
    }
}
