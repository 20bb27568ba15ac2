import PlugCore
import PlugStorage
import TestKit

/// A store whose n-th writing call fails and changes nothing, as on a full disk.
actor FailingStore: PlugStore {
    private let store: any PlugStore
    private var left: Int
    private let failsNotes: Bool
    private(set) var hasFailed = false

    /// - Parameter failsNotes: Whether server notes count; no run fails because of them.
    init(_ store: any PlugStore, at call: Int, failsNotes: Bool = false) {
        self.failsNotes = failsNotes
        self.store = store
        left = call
    }

    private func write() throws {
        left -= 1
        guard left == 0 else { return }
        hasFailed = true
        throw PlugError("store-failed", exit: .tryLater, "the disk is full")
    }

    func openConnection(_ id: ConnectionID, plug: String, pda: String) async throws -> Connection {
        try write()
        return try await store.openConnection(id, plug: plug, pda: pda)
    }
    func connection(_ id: ConnectionID) async throws -> Connection? { try await store.connection(id) }
    func connections() async throws -> [Connection] { try await store.connections() }
    func eraseConnection(_ id: ConnectionID) async throws -> ErasureReceipt? { try await store.eraseConnection(id) }
    func streamNames(of connection: ConnectionID) async throws -> [String] {
        try await store.streamNames(of: connection)
    }
    func removeOutboxBatches(_ ids: [Int64]) async throws -> Int { try await store.removeOutboxBatches(ids) }
    func run(_ id: Int64) async throws -> StoredRun? { try await store.run(id) }
    func lease(_ connection: ConnectionID) async throws -> ConnectionLease { try await store.lease(connection) }
    func state(of stream: StreamID, part: String) async throws -> StreamState? {
        try await store.state(of: stream, part: part)
    }
    func currentPass(of stream: StreamID) async throws -> Int64 { try await store.currentPass(of: stream) }
    func forEachLedgerRow(of stream: StreamID, _ body: @Sendable (Int64, [UInt8]) -> Void) async throws {
        try await store.forEachLedgerRow(of: stream, body)
    }
    func refusals(of stream: StreamID) async throws -> [RecordFingerprint: Int] {
        try await store.refusals(of: stream)
    }
    func commit(_ commit: StreamCommit) async throws {
        try write()
        try await store.commit(commit)
    }
    func deadLetters(_ filter: DeadLetterFilter) async throws -> [StoredDeadLetter] {
        try await store.deadLetters(filter)
    }
    func deadLetterSize(of connection: ConnectionID?) async throws -> DeadLetterSize {
        try await store.deadLetterSize(of: connection)
    }
    func deadLetter(_ id: Int64) async throws -> StoredDeadLetter? { try await store.deadLetter(id) }
    func removeDeadLetters(_ ids: [Int64]) async throws -> Int { try await store.removeDeadLetters(ids) }
    func renewDeadLetter(_ id: Int64, reason: String) async throws {
        try await store.renewDeadLetter(id, reason: reason)
    }
    func outbox(of stream: StreamID, after: Int64, limit: Int) async throws -> [StoredOutboxBatch] {
        try await store.outbox(of: stream, after: after, limit: limit)
    }
    func outboxBatch(_ id: Int64) async throws -> StoredOutboxBatch? { try await store.outboxBatch(id) }
    func outboxes(of connection: ConnectionID?) async throws -> [WaitingOutbox] {
        try await store.outboxes(of: connection)
    }
    func outboxSize(of stream: StreamID?) async throws -> OutboxSize { try await store.outboxSize(of: stream) }
    func settle(_ batch: Int64, leaving rest: OutboxBatch?, with commit: StreamCommit) async throws {
        try write()
        try await store.settle(batch, leaving: rest, with: commit)
    }
    func keptToken(of connection: ConnectionID) async throws -> KeptToken? {
        try await store.keptToken(of: connection)
    }
    func keepToken(_ token: KeptToken, of connection: ConnectionID) async throws {
        try await store.keepToken(token, of: connection)
    }
    func beginRun(_ run: RunStart) async throws -> Int64 {
        try write()
        return try await store.beginRun(run)
    }
    func endRun(_ id: Int64, outcome: String, report: [UInt8]) async throws {
        try write()
        try await store.endRun(id, outcome: outcome, report: report)
    }
    func runs(of connection: ConnectionID?, limit: Int) async throws -> [StoredRun] {
        try await store.runs(of: connection, limit: limit)
    }
    func serverNotes() async throws -> [ServerNote] { try await store.serverNotes() }
    func serverNote(_ name: String) async throws -> ServerNote? { try await store.serverNote(name) }
    func changeServerNote(_ name: String, _ change: @escaping @Sendable (ServerNote?) -> ServerNote?) async throws {
        if failsNotes { try write() }
        try await store.changeServerNote(name, change)
    }
    func keepServerNotes(_ notes: [ServerNote]) async throws {
        if failsNotes { try write() }
        try await store.keepServerNotes(notes)
    }
}
