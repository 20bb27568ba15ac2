import PlugCore

/// Keeps track of children that could not be read, so that one of them does not hold up the others.
struct ChildFailures: Sendable {
    /// This many failures in a row, as from a source in trouble or one that rejects us, are not a single child's.
    private static let streakLimit = 10
    /// How many of them are reported individually.
    private static let tellLimit = 5

    private let stream: String
    private var first: PlugError?
    private var count = 0
    private var streak = 0
    /// How many were left out by earlier runs of the pass.
    private let earlier: Int

    /// - Parameter earlier: How many children earlier runs of the pass left out.
    init(_ stream: String, earlier: Int = 0) {
        self.stream = stream
        self.earlier = earlier
    }

    /// How many children the pass has left out.
    var total: Int { earlier + count }

    /// Records why a child could not be read.
    ///
    /// - Returns: Whether the others may succeed.
    mutating func note(_ error: PlugError, _ exchange: Exchange) -> Bool {
        guard error.reach == .item else { return false }
        if [.tryLater, .unreachable, .authorisation].contains(error.exit) { streak += 1 }
        guard streak < Self.streakLimit else { return false }
        count += 1
        first = first ?? error
        if count <= Self.tellLimit { exchange.warn(stream, .childFailed, "\(error.message); the others are read") }
        return true
    }

    /// Notes that a child was read completely.
    mutating func noteSuccess() { streak = 0 }

    /// The error of a pass that left children out, `nil` if there were none.
    var summary: PlugError? {
        guard let first else { return earlierSummary }
        return PlugError(
            .childrenFailed,
            "\(count == 1 ? "1 parent's records" : "the records of \(count) parents") could not be read in this run; all "
                + "others were. The first: \(first.message)",
            advice: "the next run reads them again; "
                + (Self.ownAdvice(first) ?? "if such an answer is expected, define in 'http.on' what it means"),
            stream: stream
        )
    }

    /// What the manifest should say if the answer is in fact correct.
    private static func ownAdvice(_ error: PlugError) -> String? {
        [.recordsMissing, .recordsFailed].contains(error.code) ? error.advice : nil
    }

    /// The same, if only earlier runs of the pass left children out, and have reported which.
    private var earlierSummary: PlugError? {
        guard earlier > 0 else { return nil }
        return PlugError(
            .childrenFailed,
            "\(earlier == 1 ? "1 parent's records" : "the records of \(earlier) parents") could not be read in an earlier run "
                + "of this pass; all others were",
            advice: "the next run reads them again; the earlier run said why (child-failed)",
            stream: stream
        )
    }
}
