internal import PlugCore
internal import Synchronization

/// Ten at once, then one every two seconds, per peer: the reference server's limit for log-ins.
final class LoginThrottle: Sendable {
    private let clock: any HostClock
    private let buckets = Mutex<[String: (level: Double, at: Int64)]>([:])
    private static let capacity = 10.0
    private static let perSecond = 0.5
    private static let peersAtMost = 10_000

    init(clock: any HostClock) { self.clock = clock }

    /// Takes one token from a peer's bucket, if there is one.
    func allows(_ peer: String) -> Bool {
        let now = clock.now()
        return buckets.withLock { buckets in
            if buckets.count >= Self.peersAtMost {
                buckets = buckets.filter { Self.level($0.value, now) < Self.capacity }
            }
            let level = buckets[peer].map { Self.level($0, now) } ?? Self.capacity
            guard level >= 1 else { return false }
            buckets[peer] = (level - 1, now)
            return true
        }
    }

    private static func level(_ bucket: (level: Double, at: Int64), _ now: Int64) -> Double {
        min(capacity, bucket.level + max(0, Double(now - bucket.at)) / 1_000_000 * perSecond)
    }
}
