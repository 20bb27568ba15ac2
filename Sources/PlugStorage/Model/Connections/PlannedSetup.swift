package import PlugCore

/// An unclaimed set-up, with what determines its next due time.
package struct PlannedSetup: Sendable, Equatable {
    /// The connection.
    package var connection: ConnectionID
    /// Its plug's id.
    package var plug: String
    /// When it is due.
    package var dueAt: Int64
    /// Whether that is a scheduled time, not a retry or a request.
    package var isPlanned: Bool
    /// When the last run that counts began.
    package var ranAt: Int64?
    /// Increases with each claim and with each change of the set-up.
    package var epoch: Int64
    /// The person's answers, choices and schedule.
    package var content: Secret

    /// Creates a set-up.
    package init(
        connection: ConnectionID,
        plug: String,
        dueAt: Int64,
        isPlanned: Bool,
        ranAt: Int64?,
        epoch: Int64,
        content: Secret
    ) {
        self.connection = connection
        self.plug = plug
        self.dueAt = dueAt
        self.isPlanned = isPlanned
        self.ranAt = ranAt
        self.epoch = epoch
        self.content = content
    }
}
