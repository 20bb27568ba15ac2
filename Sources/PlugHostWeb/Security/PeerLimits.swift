internal import CurlTransport
internal import PlugCore
internal import Synchronization

/// Rate limits for remote addresses: a token bucket for each, in a table of bounded size.
final class PeerLimits: Sendable {
    /// The number of addresses told apart. Those that arrive when the table is full share one bucket.
    private let capacity: Int
    private let clock: any HostClock
    private let table = Mutex(Table())

    private struct Bucket {
        var level: Double
        var at: Int64

        func level(_ limit: RateLimit, _ now: Int64) -> Double {
            min(limit.burstSize, level + limit.perMicrosecond * Double(max(0, now - at)))
        }
    }

    private struct Key: Hashable {
        let peer: String
        let route: String
    }

    private struct Table {
        var buckets: [Key: (bucket: Bucket, limit: RateLimit)] = [:]
        var sweptAt = Int64.min
    }

    init(capacity: Int = 10_000, clock: any HostClock) {
        self.capacity = capacity
        self.clock = clock
    }

    /// Takes a token from an address's bucket.
    ///
    /// - Parameter route: The requested route; routes with limits of their own have buckets of their own.
    /// - Returns: `nil` if there was one, else the number of seconds until there is one.
    func take(_ limit: RateLimit, peer: String, route: String) -> Int? {
        let now = clock.now()
        return table.withLock { table in
            var key = Key(peer: Self.network(of: peer), route: route)
            if table.buckets[key] == nil, table.buckets.count >= capacity {
                // Full buckets carry no information. Looking for them takes time: once a second is often enough.
                if now - 1_000_000 >= table.sweptAt || now < table.sweptAt {
                    table.buckets = table.buckets.filter {
                        $0.value.bucket.level($0.value.limit, now) < $0.value.limit.burstSize
                    }
                    table.sweptAt = now
                }
                if table.buckets.count >= capacity { key = Key(peer: "", route: route) }
            }
            let level = table.buckets[key]?.bucket.level(limit, now) ?? limit.burstSize
            guard level >= 1 else { return max(1, Int(((1 - level) / limit.perMicrosecond / 1_000_000).rounded(.up))) }
            table.buckets[key] = (Bucket(level: level - 1, at: now), limit)
            return nil
        }
    }

    /// An IPv6 address's network: whoever has one address in it has all of them.
    private static func network(of peer: String) -> String {
        guard let bytes = IPAddress(peer)?.bytes, bytes.count == 16 else { return peer }
        // IPv4 addresses as dual-stack sockets show them (::ffff:1.2.3.4) count one by one.
        let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        return isMapped ? peer : Hexadecimal.encoded(bytes.prefix(8))
    }
}

extension RateLimit {
    fileprivate var burstSize: Double { Double(burst ?? count) }
    fileprivate var perMicrosecond: Double { Double(count) / (per / .microseconds(1)) }
}
