internal import Cryptography
internal import FoundationEssentials
internal import Synchronization

/// Data keys that were unwrapped recently: one run asks for its connection's key a dozen times.
///
/// A key is found only by the whole wrapped value and everything it is bound to, so that a row that was changed or moved is
/// unwrapped, and refused, as if there were no cache.
final class KeyCache: Sendable {
    struct Row: Hashable {
        var wrapped: Data
        var associated: [UInt8]

        /// The tag at the end, which depends on everything else, is enough to tell rows apart quickly.
        func hash(into hasher: inout Hasher) {
            wrapped.withUnsafeBytes { wrapped in
                hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: wrapped.suffix(AESGCM.tagSize)))
            }
        }
    }

    /// The maximum number of keys kept; then all are forgotten.
    private static let limit = 4096
    private let keys = Mutex<[Row: DataKey]>([:])

    /// Forgets all keys, as one of them is to be destroyed.
    func forget() { keys.withLock { $0 = [:] } }

    /// The key of a row, unwrapped if it is not cached.
    func key(of row: Row, unwrap: () throws -> DataKey) rethrows -> DataKey {
        if let known = keys.withLock({ $0[row] }) { return known }
        let key = try unwrap()
        keys.withLock { keys in
            if keys.count >= Self.limit { keys.removeAll(keepingCapacity: true) }
            keys[row] = key
        }
        return key
    }
}
