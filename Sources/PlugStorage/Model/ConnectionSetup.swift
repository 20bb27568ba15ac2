package import PlugCore

/// What a host needs to run a connection by itself, and when.
package struct ConnectionSetup: Sendable, Equatable {
    /// Whether the host runs it.
    package enum Status: String, Sendable, CaseIterable {
        /// When it is due.
        case active
        /// Not until somebody resumes it.
        case paused
        /// Not until the person connects the source or the PDA again.
        case reconnect
        /// Not any more: the PDA has disabled the plug.
        case disabled
    }

    /// Whether the host runs it.
    package var status: Status
    /// When it is due, in microseconds since 1970; `nil` where only somebody's wish makes it due. Counts while it is active.
    package var dueAt: Int64?
    /// The person's answers, choices and schedule, in the form of whoever runs it. Secrets are in it: it is stored encrypted.
    package var content: Secret

    /// A set-up.
    package init(status: Status, dueAt: Int64?, content: Secret) {
        self.status = status
        self.dueAt = dueAt
        self.content = content
    }
}

/// The right to run a connection that was due, for a time.
///
/// Who has let that time pass has lost it: the connection is due again, and the epoch of its next claim is greater.
package struct DueClaim: Sendable, Equatable {
    /// The connection.
    package var connection: ConnectionID
    /// Its plug's id.
    package var plug: String
    /// When it was due.
    package var dueAt: Int64
    /// Since when it waits: the first time at which it was due and was not served.
    package var waitsSince: Int64
    /// When the last run that counts began, `nil` if there was none.
    package var ranAt: Int64?
    /// Grows with each claim and with each change of the set-up.
    package var epoch: Int64

    /// A claim.
    ///
    /// - Parameter waitsSince: `nil` for when it was due.
    package init(
        connection: ConnectionID,
        plug: String,
        dueAt: Int64,
        waitsSince: Int64? = nil,
        ranAt: Int64?,
        epoch: Int64
    ) {
        self.connection = connection
        self.plug = plug
        self.dueAt = dueAt
        self.waitsSince = waitsSince ?? dueAt
        self.ranAt = ranAt
        self.epoch = epoch
    }
}

/// What follows from a run of a connection that was due.
package struct ClaimEnd: Sendable, Equatable {
    /// What the connection is from now on.
    package var status: ConnectionSetup.Status
    /// When it is due next.
    package var dueAt: Int64?
    /// When the run began, if it counts as one of the schedule: then `dueAt` is a time of the schedule too. `nil` leaves what is
    /// there.
    package var ranAt: Int64?
    /// Since when it waits, where it was not served; `nil` for `dueAt`. Of those that are due at the same time, who waits
    /// longest goes first.
    package var waitsSince: Int64?
    /// The time of the end.
    package var at: Int64

    /// An end.
    package init(
        status: ConnectionSetup.Status,
        dueAt: Int64?,
        ranAt: Int64? = nil,
        waitsSince: Int64? = nil,
        at: Int64
    ) {
        self.status = status
        self.dueAt = dueAt
        self.ranAt = ranAt
        self.waitsSince = waitsSince
        self.at = at
    }
}

/// A change of a connection's set-up, or of who may use the host: who made it, and when.
package struct AuditEntry: Sendable, Equatable {
    /// When, in microseconds since 1970.
    package var at: Int64
    /// Who: an operator's or key's name, `shell`, `host`, `person`, `pda`.
    package var who: String
    /// What: a short word such as `paused`.
    package var what: String

    /// An entry.
    package init(at: Int64, who: String, what: String) {
        self.at = at
        self.who = who
        self.what = what
    }
}
