/// The result of a run, in the few numbers that are summed up.
package struct RunTally: Sendable, Equatable {
    /// Requests to the source.
    package var requests = 0
    /// Records that reached the PDA.
    package var records = 0
    /// Records that became dead letters.
    package var deadLetters = 0
    /// The code of the error that ended it.
    package var error: String?
    /// Whether it settled any record, duplicates included.
    package var hasMoved = false

    /// Creates a tally.
    package init(
        requests: Int = 0,
        records: Int = 0,
        deadLetters: Int = 0,
        error: String? = nil,
        hasMoved: Bool = false
    ) {
        (self.requests, self.records, self.deadLetters, self.error) = (requests, records, deadLetters, error)
        self.hasMoved = hasMoved
    }
}

/// How long sums are kept, and how their times are rounded.
package enum SummaryHour {
    /// The length of an hour in microseconds.
    package static let length: Int64 = 3_600_000_000
    /// How many hours the sums of runs are kept for: 90 days.
    package static let kept: Int64 = 24 * 90

    /// The hour that contains a time given in microseconds since 1970.
    package static func of(_ time: Int64) -> Int64 { time / length }
}

/// The sums of the runs that ended in one hour with one outcome. Runs whose process died never ended, and are not included.
package struct RunSum: Sendable, Equatable {
    /// The hour, counted from 1970.
    package var hour: Int64
    /// `done`, `partial`, `failed` or `interrupted`.
    package var outcome: String
    /// The number of runs.
    package var runs: Int
    /// Their total results.
    package var tally: RunTally
    /// Their total duration in microseconds.
    package var microseconds: Int64

    /// Creates a sum.
    package init(hour: Int64, outcome: String, runs: Int, tally: RunTally, microseconds: Int64) {
        (self.hour, self.outcome, self.runs) = (hour, outcome, runs)
        (self.tally, self.microseconds) = (tally, microseconds)
    }
}

/// The number of runs that an error ended.
package struct ErrorCount: Sendable, Equatable {
    /// The error's code.
    package var code: String
    /// The number of runs.
    package var runs: Int

    /// Creates a count.
    package init(code: String, runs: Int) { (self.code, self.runs) = (code, runs) }
}

/// A summary of the runs of one version of a plug.
package struct VersionRuns: Sendable, Equatable {
    /// The version.
    package var version: String
    /// The number of completed runs.
    package var runs: Int
    /// How many of them failed.
    package var failed: Int
    /// When the first and the last of them began, in microseconds since 1970.
    package var began: ClosedRange<Int64>

    /// Creates a summary.
    package init(version: String, runs: Int, failed: Int, began: ClosedRange<Int64>) {
        (self.version, self.runs, self.failed, self.began) = (version, runs, failed, began)
    }
}

/// The number of a plug's connections in one status.
package struct ConnectionCount: Sendable, Equatable {
    /// The plug's id.
    package var plug: String
    /// The status; `nil` for those without a set-up.
    package var status: ConnectionSetup.Status?
    /// The number of connections.
    package var connections: Int

    /// Creates a count.
    package init(plug: String, status: ConnectionSetup.Status?, connections: Int) {
        (self.plug, self.status, self.connections) = (plug, status, connections)
    }
}

/// What has been waiting in outboxes since one hour.
package struct OutboxHour: Sendable, Equatable {
    /// The hour in which it was queued, counted from 1970.
    package var hour: Int64
    /// The amount.
    package var size: OutboxSize
    /// The number of records, except for batches of versions that did not count them.
    package var records: Int

    /// Creates an amount.
    package init(hour: Int64, size: OutboxSize, records: Int) {
        (self.hour, self.size, self.records) = (hour, size, records)
    }
}

/// A stream with waiting batches, and since when they have waited.
package struct WaitingStream: Sendable, Equatable {
    /// The stream.
    package var stream: StreamID
    /// When the oldest was queued, in microseconds since 1970.
    package var since: Int64

    /// Creates a stream that waits.
    package init(stream: StreamID, since: Int64) { (self.stream, self.since) = (stream, since) }
}
