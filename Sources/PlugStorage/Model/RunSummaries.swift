/// What a run led to, in the few numbers that are summed up.
package struct RunTally: Sendable, Equatable {
    /// Requests to the source.
    package var requests = 0
    /// Records that came to the PDA.
    package var records = 0
    /// Records that became dead letters.
    package var deadLetters = 0
    /// The code of the error that ended it.
    package var error: String?

    /// Nothing.
    package init(requests: Int = 0, records: Int = 0, deadLetters: Int = 0, error: String? = nil) {
        (self.requests, self.records, self.deadLetters, self.error) = (requests, records, deadLetters, error)
    }
}

/// How long sums are kept, and how times are rounded in them.
package enum SummaryHour {
    /// In microseconds.
    package static let length: Int64 = 3_600_000_000
    /// For how many hours sums of runs are kept: 90 days.
    package static let kept: Int64 = 24 * 90

    /// The hour of a time in microseconds since 1970.
    package static func of(_ time: Int64) -> Int64 { time / length }
}

/// The sums of the runs that ended in one hour in one way. Runs whose process died have no end, and are not in it.
package struct RunSum: Sendable, Equatable {
    /// The hour, counted since 1970.
    package var hour: Int64
    /// `done`, `partial`, `failed` or `interrupted`.
    package var outcome: String
    /// How many runs.
    package var runs: Int
    /// What they led to.
    package var tally: RunTally
    /// How long they took together, in microseconds.
    package var microseconds: Int64

    /// A sum.
    package init(hour: Int64, outcome: String, runs: Int, tally: RunTally, microseconds: Int64) {
        (self.hour, self.outcome, self.runs) = (hour, outcome, runs)
        (self.tally, self.microseconds) = (tally, microseconds)
    }
}

/// How many runs an error has ended.
package struct ErrorCount: Sendable, Equatable {
    /// The error's code.
    package var code: String
    /// How many runs.
    package var runs: Int

    /// A count.
    package init(code: String, runs: Int) { (self.code, self.runs) = (code, runs) }
}

/// What is known of the runs of one version of a plug.
package struct VersionRuns: Sendable, Equatable {
    /// The version.
    package var version: String
    /// How many runs have ended.
    package var runs: Int
    /// How many of them have failed.
    package var failed: Int
    /// When the first and the last of them began, in microseconds since 1970.
    package var began: ClosedRange<Int64>

    /// What is known of a version.
    package init(version: String, runs: Int, failed: Int, began: ClosedRange<Int64>) {
        (self.version, self.runs, self.failed, self.began) = (version, runs, failed, began)
    }
}

/// How many connections of a plug are in one state.
package struct ConnectionCount: Sendable, Equatable {
    /// The plug's id.
    package var plug: String
    /// The state; `nil` for those without a set-up.
    package var status: ConnectionSetup.Status?
    /// How many.
    package var connections: Int

    /// A count.
    package init(plug: String, status: ConnectionSetup.Status?, connections: Int) {
        (self.plug, self.status, self.connections) = (plug, status, connections)
    }
}

/// What waits in outboxes since one hour.
package struct OutboxHour: Sendable, Equatable {
    /// The hour in which it was queued, counted since 1970.
    package var hour: Int64
    /// How much.
    package var size: OutboxSize
    /// How many records, those of versions aside that did not count them.
    package var records: Int

    /// What waits.
    package init(hour: Int64, size: OutboxSize, records: Int) {
        (self.hour, self.size, self.records) = (hour, size, records)
    }
}

/// A stream whose batches wait, and since when.
package struct WaitingStream: Sendable, Equatable {
    /// The stream.
    package var stream: StreamID
    /// Since when, in microseconds since 1970.
    package var since: Int64

    /// A stream that waits.
    package init(stream: StreamID, since: Int64) { (self.stream, self.since) = (stream, since) }
}
