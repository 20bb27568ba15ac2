package import PlugStorage

/// A store in front of another one, for a test that has something happen at its calls. Each of them is forwarded through
/// one of two hooks, so that a new method of `PlugStore` fails, dies or counts like the others. The methods are in the files named
/// after what is kept, after those of `MemoryStore`.
package protocol ForwardingStore: PlugStore {
    var store: any PlugStore { get }
    /// Every call that changes nothing that lasts goes through here.
    func reading<Value: Sendable>(_ call: () async throws -> Value) async throws -> Value
    /// Every call that writes goes through here.
    ///
    /// - Parameter name: What it does, for those who read what happened.
    func writing<Value: Sendable>(_ name: String, _ call: () async throws -> Value) async throws -> Value
}

extension ForwardingStore {
    package func reading<Value: Sendable>(_ call: () async throws -> Value) async throws -> Value { try await call() }
    package func writing<Value: Sendable>(
        _ name: String,
        _ call: () async throws -> Value
    ) async throws -> Value { try await call() }

    package var scratchFolder: String? { store.scratchFolder }
}
