internal import LosslessJSON
internal import PlugCore
internal import Synchronization

/// Caches the states of applications for ten minutes, as the reference server does: `active` and `mostRecentData` may lag.
/// Setting up, disabling and `Cache-Control: no-cache` clear them.
final class StatusCache: Sendable {
    private static let seconds: Int64 = 600
    private static let keptAtMost = 1024
    private let clock: any HostClock
    private let kept = Mutex<[String: (state: JSONValue, until: Int64)]>([:])

    init(clock: any HostClock) { self.clock = clock }

    subscript(key: String) -> JSONValue? {
        let now = clock.seconds
        return kept.withLock { $0[key].flatMap { $0.until > now ? $0.state : nil } }
    }

    func keep(_ state: JSONValue, as key: String) {
        let until = clock.seconds + Self.seconds
        kept.withLock {
            if $0.count >= Self.keptAtMost { $0.removeAll() }
            $0[key] = (state, until)
        }
    }

    func clear() { kept.withLock { $0.removeAll() } }
}
