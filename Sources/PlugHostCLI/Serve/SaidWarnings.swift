internal import Synchronization

/// Counts the warnings of runs, so that those that every run repeats do not fill the log.
final class SaidWarnings: Sendable {
    /// What is said once.
    struct Key: Hashable {
        /// The connection, and its stream.
        var place: String
        var code: String
    }

    private struct Said {
        var message: String
        var at: Int64
        var unsaid = 0
    }

    /// A day, in microseconds.
    private static let pause: Int64 = 86_400_000_000
    /// With more of them all are forgotten, and said once more.
    private static let limit = 20_000
    private let said = Mutex<[Key: Said]>([:])

    /// Counts a warning.
    ///
    /// - Returns: How often it came since it was last said, if it is to be said now; else `nil`.
    func count(_ message: String, _ key: Key, at now: Int64) -> Int? {
        said.withLock { said in
            if var known = said[key], known.message == message, (0..<Self.pause).contains(now - known.at) {
                known.unsaid += 1
                said[key] = known
                return nil
            }
            let times = said[key].map { $0.message == message ? $0.unsaid + 1 : 1 } ?? 1
            if said.count >= Self.limit { said = [:] }
            said[key] = Said(message: message, at: now)
            return times
        }
    }
}
