package import PlugCore
package import PlugStorage

/// A store in front of another one, for a test that has something happen at some of its calls. What it does not make
/// itself is forwarded, so that a new method of `PlugStore` is added here and not in each of them.
///
/// It forwards no method that moves records or runs: which of those count is what such tests are about.
package protocol ForwardingStore: PlugStore {
    var store: any PlugStore { get }
    /// Every call that is forwarded goes through here.
    func forward<Value: Sendable>(_ call: () async throws -> Value) async throws -> Value
}

extension ForwardingStore {
    package func forward<Value: Sendable>(_ call: () async throws -> Value) async throws -> Value { try await call() }

    // MARK: - Reads

    package func connection(_ id: ConnectionID) async throws -> Connection? {
        try await forward { try await store.connection(id) }
    }
    package func connections() async throws -> [Connection] { try await forward { try await store.connections() } }
    package func lease(_ connection: ConnectionID) async throws -> ConnectionLease {
        try await forward { try await store.lease(connection) }
    }
    package func streamNames(of connection: ConnectionID) async throws -> [String] {
        try await forward { try await store.streamNames(of: connection) }
    }
    package func state(of stream: StreamID, part: String) async throws -> StreamState? {
        try await forward { try await store.state(of: stream, part: part) }
    }
    package func currentPass(of stream: StreamID) async throws -> Int64 {
        try await forward { try await store.currentPass(of: stream) }
    }
    package func forEachLedgerRow(of stream: StreamID, _ body: @Sendable (Int64, [UInt8]) -> Void) async throws {
        try await forward { try await store.forEachLedgerRow(of: stream, body) }
    }
    package func refusals(of stream: StreamID) async throws -> [RecordFingerprint: Int] {
        try await forward { try await store.refusals(of: stream) }
    }
    package func deadLetters(_ filter: DeadLetterFilter) async throws -> [StoredDeadLetter] {
        try await forward { try await store.deadLetters(filter) }
    }
    package func deadLetterSize(of connection: ConnectionID?) async throws -> DeadLetterSize {
        try await forward { try await store.deadLetterSize(of: connection) }
    }
    package func deadLetter(_ id: Int64) async throws -> StoredDeadLetter? {
        try await forward { try await store.deadLetter(id) }
    }
    package func outbox(of stream: StreamID, after: Int64, limit: Int) async throws -> [StoredOutboxBatch] {
        try await forward { try await store.outbox(of: stream, after: after, limit: limit) }
    }
    package func outboxBatch(_ id: Int64) async throws -> StoredOutboxBatch? {
        try await forward { try await store.outboxBatch(id) }
    }
    package func outboxes(of connection: ConnectionID?) async throws -> [WaitingOutbox] {
        try await forward { try await store.outboxes(of: connection) }
    }
    package func outboxSize(of stream: StreamID?) async throws -> OutboxSize {
        try await forward { try await store.outboxSize(of: stream) }
    }
    package func keptToken(of connection: ConnectionID) async throws -> KeptToken? {
        try await forward { try await store.keptToken(of: connection) }
    }
    package func runs(of connection: ConnectionID?, limit: Int) async throws -> [StoredRun] {
        try await forward { try await store.runs(of: connection, limit: limit) }
    }
    package func run(_ id: Int64) async throws -> StoredRun? { try await forward { try await store.run(id) } }
    package func serverNotes() async throws -> [ServerNote] { try await forward { try await store.serverNotes() } }
    package func serverNote(_ name: String) async throws -> ServerNote? {
        try await forward { try await store.serverNote(name) }
    }

    // MARK: - Writes beside a run

    package func eraseConnection(_ id: ConnectionID) async throws -> ErasureReceipt? {
        try await forward { try await store.eraseConnection(id) }
    }
    package func removeDeadLetters(_ ids: [Int64]) async throws -> Int {
        try await forward { try await store.removeDeadLetters(ids) }
    }
    package func renewDeadLetter(_ id: Int64, reason: String) async throws {
        try await forward { try await store.renewDeadLetter(id, reason: reason) }
    }
    package func removeOutboxBatches(_ ids: [Int64]) async throws -> Int {
        try await forward { try await store.removeOutboxBatches(ids) }
    }
    package func keepToken(_ token: KeptToken, of connection: ConnectionID) async throws {
        try await forward { try await store.keepToken(token, of: connection) }
    }
}
