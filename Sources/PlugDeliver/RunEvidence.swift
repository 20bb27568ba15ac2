internal import PlugCore

/// What a run has learnt about its PDA and the records it refused. Belongs to one deliverer.
final class RunEvidence {
    /// A record refused when sent alone in this run.
    struct Refusal {
        /// The number of refusals.
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

    /// The number of records posted alone to learn something.
    var probes = 0
    /// The number of requests that stored something.
    private(set) var stored = 0
    /// Records posted alone that got a definite answer, and how many of them were refused. A second post of a refused record says
    /// nothing new about the PDA and does not count.
    private(set) var singles = 0
    private(set) var refusedSingles = 0
    private var refusals: [Key: Refusal] = [:]
    /// The status of the PDA's last refusal. Its explanation may quote the record, so it may only go into a dead letter.
    private(set) var lastStatus: Int?

    /// The number of consecutive requests without a usable answer, and why the last one had none.
    private(set) var unanswered = 0
    private(set) var doubt: PlugError?
    /// Whether the last request got no usable answer.
    var isInDoubt: Bool { doubt != nil }
    /// Whether the PDA accepted something after it failed to answer something else: requests are tried less often from then on.
    private(set) var hasPoison = false

    /// Notes a usable answer from the PDA.
    func noteAnswer() {
        if isInDoubt { hasPoison = true }
        (unanswered, doubt) = (0, nil)
    }

    /// Notes the lack of a usable answer. After too many in a row, the PDA is presumed at fault until shown otherwise.
    func noteUnanswered(_ error: PlugError) {
        unanswered += 1
        doubt = error
        if unanswered >= Self.unansweredLimit { hasPoison = false }
    }

    /// This many consecutive requests without an answer are the PDA's trouble. Finding one record among 500 takes fewer.
    static let unansweredLimit = 30
    /// After this many in a row, a batch is not split any further.
    static let unansweredLimitOfBatch = 20

    /// Whether refusals point to trouble at the PDA: more than half of ten or more single posts were refused.
    var isTroubled: Bool { singles >= 10 && refusedSingles * 2 > singles }

    /// Notes that a request stored something.
    func noteStored() { stored += 1 }

    /// Notes that a record sent alone was stored, or proved to be.
    func noteSingle() { singles += 1 }

    /// Notes that a record sent alone was refused.
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

    /// The refusals of a record in this run.
    func refusal(of record: [UInt8], to path: DataPath) -> Refusal? { refusals[Key(path: path, record: record)] }

    /// Whether a refusal is the record's own fault.
    ///
    /// - Parameter earlierRuns: The number of earlier runs in which it was refused alone.
    func isRefusedForGood(_ refusal: Refusal, earlierRuns: Int) -> Bool {
        earlierRuns >= 2 || (refusal.count >= 2 && stored > refusal.storedBefore)
    }
}
