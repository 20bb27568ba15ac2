import PlugCore
import PlugStorage
import TestKit

/// The store as one process life sees it: writes are effects, and everything fails once the life is over.
struct LifeStore: ForwardingStore {
    let store: any PlugStore
    let effects: Effects
    let faults: Faults
    let auditor: Auditor

    private static let dead = PlugError("store-failed", exit: .tryLater, "the process is dead")

    func writing<Value: Sendable>(_ name: String, _ work: () async throws -> Value) async throws -> Value {
        await effects.interleave()
        let verdict = effects.begin(name)
        guard verdict == .happens || verdict == .happensUnheard else { throw Self.dead }
        if faults.failsToWrite() { throw PlugError("store-failed", exit: .tryLater, "the disk is full") }
        let value = try await work()
        if verdict == .happensUnheard { effects.die() }
        if effects.isDead { throw Self.dead }
        return value
    }

    /// Reads, which are no effects.
    func reading<Value: Sendable>(_ call: () async throws -> Value) async throws -> Value {
        if effects.isDead { throw Self.dead }
        return try await call()
    }

    // MARK: - What the auditor looks at

    func commit(_ commit: StreamCommit) async throws {
        try await writing("commit \(commit.stream)\(commit.states.isEmpty ? " proof" : "")") {
            try await store.commit(commit)
            await auditor.committed(commit, in: store)
        }
    }
    func keepGrant(
        _ content: Secret,
        as id: GrantID,
        replacing version: Int64?,
        renewal: GrantRenewal
    ) async throws -> Int64? {
        try await writing("keep grant \(id)") {
            let next = try await store.keepGrant(content, as: id, replacing: version, renewal: renewal)
            if next != nil { auditor.servers.tokens { $0.kept(content) } }
            return next
        }
    }
    func settle(_ batch: Int64, leaving rest: OutboxBatch?, with commit: StreamCommit) async throws {
        try await writing("settle \(commit.stream)") {
            let before = try await store.outboxBatch(batch)
            try await store.settle(batch, leaving: rest, with: commit)
            await auditor.settled(before, with: commit, in: store)
        }
    }
}
