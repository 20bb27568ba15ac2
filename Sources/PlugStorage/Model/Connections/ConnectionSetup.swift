package import PlugCore

/// What a host needs to run a connection automatically, and when.
package struct ConnectionSetup: Sendable, Equatable {
    /// Whether the host runs it.
    package enum Status: String, Sendable, CaseIterable {
        /// It runs when it is due.
        case active
        /// It does not run until it is resumed.
        case paused
        /// It does not run until the person reconnects the source or the PDA.
        case reconnect
        /// It no longer runs: the PDA has disabled the plug.
        case disabled
    }

    /// Whether the host runs it.
    package var status: Status
    /// When it is due, in microseconds since 1970; `nil` if it is due only on request. Applies while it is active.
    package var dueAt: Int64?
    /// The person's answers, choices and schedule, in the host's own format. Contains secrets, so it is stored encrypted.
    package var content: Secret

    /// Creates a set-up.
    package init(status: Status, dueAt: Int64?, content: Secret) {
        self.status = status
        self.dueAt = dueAt
        self.content = content
    }
}

/// The right to run a due connection, for a limited time.
///
/// A claim that has expired is lost: the connection is due again, and its next claim has a greater epoch.
package struct DueClaim: Sendable, Equatable {
    /// The connection.
    package var connection: ConnectionID
    /// Its plug's id.
    package var plug: String
    /// When it was due.
    package var dueAt: Int64
    /// Since when it has been waiting: when it was first due and not served.
    package var waitsSince: Int64
    /// When the last run that counts began; `nil` if there was none.
    package var ranAt: Int64?
    /// Increases with each claim and with each change of the set-up.
    package var epoch: Int64

    /// Creates a claim.
    ///
    /// - Parameter waitsSince: `nil` for the time it was due.
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

/// The consequences of a due connection's run.
package struct ClaimEnd: Sendable, Equatable {
    /// The connection's status from now on.
    package var status: ConnectionSetup.Status
    /// When it is due next.
    package var dueAt: Int64?
    /// When the run began, if it counts as a scheduled one: then `dueAt` is a scheduled time too. `nil` leaves the previous
    /// value.
    package var ranAt: Int64?
    /// Since when it has been waiting, if it was not served; `nil` for `dueAt`. Of connections due at the same time, the one that
    /// has waited longest goes first.
    package var waitsSince: Int64?
    /// When the claim ended.
    package var at: Int64
    /// The code of the error that kept a run from beginning; `nil` if one began, or nothing was wrong.
    package var failure: String?

    /// Creates an end.
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

/// A change to a connection's set-up, or to who may use the host: who made it, and when.
package struct AuditEntry: Sendable, Equatable {
    /// When, in microseconds since 1970.
    package var at: Int64
    /// Who: an operator's or key's name, `shell`, `host`, `person`, `pda`.
    package var who: String
    /// What: a short word such as `paused`.
    package var what: String

    /// Creates an entry.
    package init(at: Int64, who: String, what: String) {
        self.at = at
        self.who = who
        self.what = what
    }
}
