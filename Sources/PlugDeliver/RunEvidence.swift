internal import PlugCore

/// What a run has learnt about its PDA and about the records that it refused. Belongs to one deliverer.
final class RunEvidence {
    /// A record that was refused alone in this run.
    struct Refusal {
        /// How often.
        var count: Int
        /// How many requests had stored something before the first refusal.
        var storedBefore: Int
        /// The last explanation.
        var reason: String
    }

    private struct Key: Hashable {
        var path: DataPath
        var record: [UInt8]
    }

    /// Records that were posted alone to learn something.
    var probes = 0
    /// Requests that stored something.
    private(set) var stored = 0
    /// Records that were posted alone and got a definite answer, and those of them that were refused. A second post of
    /// a refused record says nothing new about the PDA and does not count.
    private(set) var singles = 0
    private(set) var refusedSingles = 0
    private var refusals: [Key: Refusal] = [:]
    /// The status of the PDA's last refusal. Its explanation may quote the record, and is for a dead letter only.
    private(set) var lastStatus: Int?

    /// How many requests in a row got no answer to work with, and why the last one did not.
    private(set) var unanswered = 0
    private(set) var doubt: PlugError?
    /// Whether the last request got no answer to work with.
    var isInDoubt: Bool { doubt != nil }
    /// Whether the PDA took something after it gave no answer to something else: from then on requests are tried less often.
    private(set) var hasPoison = false

    /// Notes that the PDA gave an answer to work with.
    func noteAnswer() {
        if isInDoubt { hasPoison = true }
        (unanswered, doubt) = (0, nil)
    }

    /// Notes that it gave none. Of so many in a row the PDA's state is the reason again, until something else shows.
    func noteUnanswered(_ error: PlugError) {
        unanswered += 1
        doubt = error
        if unanswered >= Self.unansweredLimit { hasPoison = false }
    }

    /// So many requests in a row without an answer are the PDA's trouble. Finding one record of 500 takes less.
    static let unansweredLimit = 30
    /// After so many in a row a batch is not taken apart any further.
    static let unansweredLimitOfBatch = 20

    /// Whether refusing has become the PDA's trouble: more than half of ten or more single posts were refused.
    var isTroubled: Bool { singles >= 10 && refusedSingles * 2 > singles }

    /// Notes that a request stored something.
    func noteStored() { stored += 1 }

    /// Notes that a record alone was stored, or proved to be.
    func noteSingle() { singles += 1 }

    /// Notes that a record alone was refused.
    func noteRefusal(of record: [UInt8], to path: DataPath, reason: String) {
        let key = Key(path: path, record: record)
        if refusals[key] == nil {
            singles += 1
            refusedSingles += 1
        }
        var refusal = refusals[key] ?? Refusal(count: 0, storedBefore: stored, reason: reason)
        refusal.count += 1
        refusal.reason = reason
        lastStatus = Int(reason.prefix { $0.isNumber })
        refusals[key] = refusal
    }

    /// What is known of a record's refusals in this run.
    func refusal(of record: [UInt8], to path: DataPath) -> Refusal? { refusals[Key(path: path, record: record)] }

    /// Whether a refusal is the record's fault.
    ///
    /// - Parameter earlierRuns: In how many runs before this one it was refused alone.
    func isRefusedForGood(_ refusal: Refusal, earlierRuns: Int) -> Bool {
        earlierRuns >= 2 || (refusal.count >= 2 && stored > refusal.storedBefore)
    }
}
