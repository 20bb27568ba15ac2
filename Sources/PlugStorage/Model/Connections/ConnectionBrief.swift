package import PlugCore

/// A connection in a list: how it stands, without what it takes keys to read.
package struct ConnectionBrief: Sendable, Equatable {
    /// Its name.
    package var id: ConnectionID
    /// The plug's id.
    package var plug: String
    /// The origin of its PDA.
    package var pda: String
    /// When it was created, in microseconds since 1970.
    package var createdAt: Int64
    /// Whether a host runs it; `nil` without a set-up.
    package var status: ConnectionSetup.Status?
    /// When it is due, if it is active.
    package var dueAt: Int64?
    /// What keeps it from making progress.
    package var trouble: ConnectionTrouble?
    /// Its newest run, with the report only if it has ended otherwise than `done`.
    package var lastRun: StoredRun?
    /// When its last successful run ended.
    package var lastSuccess: Int64?
    /// What is waiting in its outbox.
    package var waiting = OutboxSize()
    /// When the oldest waiting batch was queued.
    package var waitingSince: Int64?
    /// The number of its dead letters.
    package var deadLetters = 0

    /// A connection that has not run.
    package init(id: ConnectionID, plug: String, pda: String, createdAt: Int64) {
        (self.id, self.plug, self.pda, self.createdAt) = (id, plug, pda, createdAt)
    }

    /// How it stands.
    package var state: ConnectionState { ConnectionState(status, trouble) }
}

/// A page of connections in brief.
package struct FoundBriefs: Sendable, Equatable {
    /// The connections.
    package var briefs: [ConnectionBrief]
    /// Where the next page continues; `nil` if this is the last. As in `FoundConnections`.
    package var next: ConnectionSearch.Place?

    /// Creates a page.
    package init(briefs: [ConnectionBrief], next: ConnectionSearch.Place? = nil) {
        (self.briefs, self.next) = (briefs, next)
    }
}
