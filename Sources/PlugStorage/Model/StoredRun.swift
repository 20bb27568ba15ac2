package import PlugCore

/// What is known about a run when it begins.
package struct RunStart: Sendable, Equatable {
    /// The connection.
    package var connection: ConnectionID
    /// The plug's version, as its manifest gives it.
    package var version: String
    /// When it began, in microseconds since 1970.
    package var at: Int64

    /// Creates the start of a run.
    package init(connection: ConnectionID, version: String, at: Int64) {
        self.connection = connection
        self.version = version
        self.at = at
    }
}

/// A run and how it ended.
package struct StoredRun: Sendable, Equatable {
    /// How many runs of a connection are kept, besides the last that ended and the last that succeeded.
    package static let kept = 100

    /// Its number.
    package var id: Int64
    /// How it began.
    package var start: RunStart
    /// When it ended, in microseconds since 1970; `nil` while it runs, or if its process died.
    package var endedAt: Int64?
    /// `done`, `partial`, `failed` or `interrupted`.
    package var outcome: String?
    /// The report that `run --json` printed: UTF-8 JSON that contains no secrets or records.
    package var report: [UInt8]

    /// Creates a stored run.
    package init(id: Int64, start: RunStart, endedAt: Int64?, outcome: String?, report: [UInt8]) {
        self.id = id
        self.start = start
        self.endedAt = endedAt
        self.outcome = outcome
        self.report = report
    }
}
