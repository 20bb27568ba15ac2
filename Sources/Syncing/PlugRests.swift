internal import Synchronization

/// Plugs that start nothing for a while, because their source lets none of their connections read: due connections keep their
/// place in the queue, instead of being started and refused.
package final class PlugRests: Sendable {
    /// The longest rest that is accepted: a day, in microseconds.
    private static let longest: Int64 = 86_400_000_000

    private let ends = Mutex<[String: Int64]>([:])

    /// No rests.
    package init() {}

    /// Starts no runs of a plug until a given time.
    package func rest(_ plug: String, until end: Int64, now: Int64) {
        let end = min(end, now + Self.longest)
        ends.withLock { $0[plug] = max($0[plug] ?? end, end) }
    }

    /// Ends all rests: a plug that still has to wait rests again.
    package func end() { ends.withLock { $0 = [:] } }

    /// The resting plugs, and when the first rest ends.
    func current(at now: Int64) -> (plugs: Set<String>, end: Int64?) {
        ends.withLock { ends in
            // A rest further away was requested before the clock was set back.
            ends = ends.filter { $0.value > now && $0.value <= now + Self.longest }
            return (Set(ends.keys), ends.values.min())
        }
    }
}
