public import PlugCore

/// What is known of a run when it begins.
public struct RunStart: Sendable, Equatable {
    /// Whose run.
    public var connection: ConnectionID
    /// The plug's version, as its manifest gives it.
    public var version: String
    /// When it began, in microseconds since 1970.
    public var at: Int64

    /// A run that begins.
    public init(connection: ConnectionID, version: String, at: Int64) {
        self.connection = connection
        self.version = version
        self.at = at
    }
}

/// A run with how it ended.
public struct StoredRun: Sendable, Equatable {
    /// Its number.
    public var id: Int64
    /// How it began.
    public var start: RunStart
    /// When it ended, in microseconds since 1970; `nil` while it runs, or where its process died.
    public var endedAt: Int64?
    /// `done`, `partial`, `failed` or `interrupted`.
    public var outcome: String?
    /// The report that `run --json` printed: UTF-8 JSON without any secret or record.
    public var report: [UInt8]

    /// A stored run.
    public init(id: Int64, start: RunStart, endedAt: Int64?, outcome: String?, report: [UInt8]) {
        self.id = id
        self.start = start
        self.endedAt = endedAt
        self.outcome = outcome
        self.report = report
    }
}
