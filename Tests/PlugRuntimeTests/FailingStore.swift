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

    nonisolated func writing<Value: Sendable>(
        _ name: String,
        _ call: () async throws -> Value
    ) async throws -> Value {
        // Server notes do not count: no run fails because of them.
        if !name.contains("server note") { try await count() }
        return try await call()
    }

    private func count() throws {
        left -= 1
        guard left == 0 else { return }
        hasFailed = true
        throw PlugError("store-failed", exit: .tryLater, "the disk is full")
    }
}
