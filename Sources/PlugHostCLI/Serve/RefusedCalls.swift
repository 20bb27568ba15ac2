internal import Synchronization

/// Counts refused calls, so that strangers who call again and again do not fill the log: one line a minute for each plug.
final class RefusedCalls: Sendable {
    /// A minute, in microseconds.
    private static let pause: Int64 = 60_000_000
    private let plugs = Mutex<[String: (count: Int, toldAt: Int64?)]>([:])

    /// Counts one.
    ///
    /// - Returns: The number since the last report, if it is time for another; else `nil`.
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
