internal import Synchronization

/// Counts calls that were refused, so that strangers who call again and again fill no log: of each plug one line a minute.
final class RefusedCalls: Sendable {
    /// A minute, in microseconds.
    private static let pause: Int64 = 60_000_000
    private let plugs = Mutex<[String: (count: Int, toldAt: Int64?)]>([:])

    /// Counts one.
    ///
    /// - Returns: How many there were since the last time when somebody was told, where it is time to tell; else `nil`.
    func count(_ plug: String, at now: Int64) -> Int? {
        plugs.withLock { plugs in
            var (count, toldAt) = plugs[plug] ?? (0, nil)
            count += 1
            defer { plugs[plug] = (count, toldAt) }
            if let last = toldAt, (0..<Self.pause).contains(now - last) { return nil }
            let told = count
            (count, toldAt) = (0, now)
            return told
        }
    }
}
