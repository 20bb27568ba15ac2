import PlugCore
import PlugStorage
import TestKit

/// The store as one process life sees it: writes are effects, and everything fails once the life is over.
struct LifeStore: PlugStore {
    let store: any PlugStore
    let effects: Effects
    let faults: Faults
    let auditor: Auditor

    private static let dead = PlugError("store-failed", exit: .tryLater, "the process is dead")

    private func write<Value: Sendable>(_ name: String, _ work: () async throws -> Value) async throws -> Value {
        await effects.interleave()
        let verdict = effects.begin(name)
        guard verdict == .happens || verdict == .happensUnheard else { throw Self.dead }
        if faults.failsToWrite() { throw PlugError("store-failed", exit: .tryLater, "the disk is full") }
        let value = try await work()
        if verdict == .happensUnheard { effects.die() }
        if effects.isDead { throw Self.dead }
        return value
    }

    private func read<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
        if effects.isDead { throw Self.dead }
        return try await work()
    }

    // MARK: - Writes

    func lease(_ connection: ConnectionID) async throws -> ConnectionLease {
        try await read { try await store.lease(connection) }
    }
    func openConnection(_ id: ConnectionID, plug: String, pda: String) async throws -> Connection {
        try await write("open \(id)") { try await store.openConnection(id, plug: plug, pda: pda) }
    }
    func openRun(_ start: RunStart, plug: String, pda: String, streams: [String]) async throws -> OpenedRun {
        try await write("open run of \(start.connection)") {
            try await store.openRun(start, plug: plug, pda: pda, streams: streams)
        }
    }
    func streamNames(of connection: ConnectionID) async throws -> [String] {
        try await read { try await store.streamNames(of: connection) }
    }
    func removeOutboxBatches(_ ids: [Int64]) async throws -> Int {
        try await write("remove batches") { try await store.removeOutboxBatches(ids) }
    }
    func run(_ id: Int64) async throws -> StoredRun? { try await read { try await store.run(id) } }
    func eraseConnection(_ id: ConnectionID) async throws -> ErasureReceipt? {
        try await write("erase \(id)") { try await store.eraseConnection(id) }
    }
    func commit(_ commit: StreamCommit) async throws {
        try await write("commit \(commit.stream)\(commit.states.isEmpty ? " proof" : "")") {
            try await store.commit(commit)
            await auditor.committed(commit, in: store)
        }
    }
    func settle(_ batch: Int64, leaving rest: OutboxBatch?, with commit: StreamCommit) async throws {
        try await write("settle \(commit.stream)") {
            let before = try await store.outboxBatch(batch)
            try await store.settle(batch, leaving: rest, with: commit)
            await auditor.settled(before, with: commit, in: store)
        }
    }
    func removeDeadLetters(_ ids: [Int64]) async throws -> Int {
        try await write("remove letters") { try await store.removeDeadLetters(ids) }
    }
    func renewDeadLetter(_ id: Int64, reason: String) async throws {
        try await write("renew letter") { try await store.renewDeadLetter(id, reason: reason) }
    }
    func keepToken(_ token: KeptToken, of connection: ConnectionID) async throws {
        try await write("keep token of \(connection)") { try await store.keepToken(token, of: connection) }
    }
    func beginRun(_ run: RunStart) async throws -> Int64 {
        try await write("begin run of \(run.connection)") { try await store.beginRun(run) }
    }
    func endRun(_ id: Int64, outcome: String, report: [UInt8]) async throws {
        try await write("end run") { try await store.endRun(id, outcome: outcome, report: report) }
    }

    func changeServerNote(_ name: String, _ change: @escaping @Sendable (ServerNote?) -> ServerNote?) async throws {
        try await write("change a server note") { try await store.changeServerNote(name, change) }
    }
    func keepServerNotes(_ notes: [ServerNote]) async throws {
        try await write("keep server notes") { try await store.keepServerNotes(notes) }
    }

    // MARK: - Reads

    var scratchFolder: String? { store.scratchFolder }
    func serverNotes() async throws -> [ServerNote] { try await read { try await store.serverNotes() } }
    func serverNote(_ name: String) async throws -> ServerNote? {
        try await read { try await store.serverNote(name) }
    }

    func connection(_ id: ConnectionID) async throws -> Connection? {
        try await read { try await store.connection(id) }
    }
    func connections() async throws -> [Connection] { try await read { try await store.connections() } }
    func state(of stream: StreamID, part: String) async throws -> StreamState? {
        try await read { try await store.state(of: stream, part: part) }
    }
    func currentPass(of stream: StreamID) async throws -> Int64 {
        try await read { try await store.currentPass(of: stream) }
    }
    func forEachLedgerRow(of stream: StreamID, _ body: @Sendable (Int64, [UInt8]) -> Void) async throws {
        if effects.isDead { throw Self.dead }
        try await store.forEachLedgerRow(of: stream, body)
    }
    func refusals(of stream: StreamID) async throws -> [RecordFingerprint: Int] {
        try await read { try await store.refusals(of: stream) }
    }
    func deadLetters(_ filter: DeadLetterFilter) async throws -> [StoredDeadLetter] {
        try await read { try await store.deadLetters(filter) }
    }
    func deadLetterSize(of connection: ConnectionID?) async throws -> DeadLetterSize {
        try await read { try await store.deadLetterSize(of: connection) }
    }
    func deadLetter(_ id: Int64) async throws -> StoredDeadLetter? {
        try await read { try await store.deadLetter(id) }
    }
    func outbox(of stream: StreamID, after: Int64, limit: Int) async throws -> [StoredOutboxBatch] {
        try await read { try await store.outbox(of: stream, after: after, limit: limit) }
    }
    func outboxBatch(_ id: Int64) async throws -> StoredOutboxBatch? {
        try await read { try await store.outboxBatch(id) }
    }
    func outboxes(of connection: ConnectionID?) async throws -> [WaitingOutbox] {
        try await read { try await store.outboxes(of: connection) }
    }
    func outboxSize(of stream: StreamID?) async throws -> OutboxSize {
        try await read { try await store.outboxSize(of: stream) }
    }
    func keptToken(of connection: ConnectionID) async throws -> KeptToken? {
        try await read { try await store.keptToken(of: connection) }
    }
    func runs(of connection: ConnectionID?, limit: Int) async throws -> [StoredRun] {
        try await read { try await store.runs(of: connection, limit: limit) }
    }
}
