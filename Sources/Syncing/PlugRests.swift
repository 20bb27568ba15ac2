internal import Synchronization

/// Plugs of which nothing begins for a while, because their source lets none of their connections read: what is due stays where it
/// is in line, instead of being begun and refused.
package final class PlugRests: Sendable {
    /// Nobody is believed who asks for a longer rest: a day, in microseconds.
    private static let longest: Int64 = 86_400_000_000

    private let ends = Mutex<[String: Int64]>([:])

    /// No rests.
    package init() {}

    /// Begins nothing of a plug until a time.
    package func rest(_ plug: String, until end: Int64, now: Int64) {
        let end = min(end, now + Self.longest)
        ends.withLock { $0[plug] = max($0[plug] ?? end, end) }
    }

    /// Ends all rests: whoever is still told to wait rests again.
    package func end() { ends.withLock { $0 = [:] } }

    /// Those that rest, and when the first of them has rested.
    func current(at now: Int64) -> (plugs: Set<String>, end: Int64?) {
        ends.withLock { ends in
            // A rest that is further away was asked for by a clock that was set back since.
            ends = ends.filter { $0.value > now && $0.value <= now + Self.longest }
            return (Set(ends.keys), ends.values.min())
        }
    }
}
