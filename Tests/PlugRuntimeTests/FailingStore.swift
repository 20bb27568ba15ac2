import PlugCore
import PlugStorage
import TestKit

/// A store whose n-th writing call fails and changes nothing, as on a full disk.
actor FailingStore: ForwardingStore {
    let store: any PlugStore
    private var left: Int
    private(set) var hasFailed = false

    init(_ store: any PlugStore, at call: Int) {
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
    func commit(_ commit: StreamCommit) async throws {
        try write()
        try await store.commit(commit)
    }
    func settle(_ batch: Int64, leaving rest: OutboxBatch?, with commit: StreamCommit) async throws {
        try write()
        try await store.settle(batch, leaving: rest, with: commit)
    }
    func beginRun(_ run: RunStart) async throws -> Int64 {
        try write()
        return try await store.beginRun(run)
    }
    func endRun(_ id: Int64, outcome: String, report: [UInt8]) async throws {
        try write()
        try await store.endRun(id, outcome: outcome, report: report)
    }
    /// Server notes do not count: no run fails because of them.
    func changeServerNote(_ name: String, _ change: @escaping @Sendable (ServerNote?) -> ServerNote?) async throws {
        try await store.changeServerNote(name, change)
    }
    func keepServerNotes(_ notes: [ServerNote]) async throws { try await store.keepServerNotes(notes) }
}
