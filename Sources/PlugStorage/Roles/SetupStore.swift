package import PlugCore

/// What a host runs automatically, and when.
///
/// `PlugStore` states what all roles promise. Changing a set-up ends the claim of a run under way: the run may finish, but its
/// effect on the schedule no longer counts.
///
/// SQLite: `SQLiteStore+Setups.swift` and `SQLiteStore+Claims.swift`.
package protocol SetupStore: Sendable {
    /// Creates a connection with its set-up and its token, all or nothing.
    ///
    /// - Parameters:
    ///   - pda: The PDA's origin.
    ///   - token: The PDA's token; `nil` if there is none yet.
    ///   - change: Who made the change, when, and what it is, for the audit log.
    /// - Returns: The connection; `nil` if one with this name already exists, which is left unchanged.
    func addConnection(
        _ id: ConnectionID,
        plug: String,
        pda: String,
        token: KeptToken?,
        setup: ConnectionSetup,
        _ change: AuditEntry
    ) async throws -> Connection?

    /// Replaces a connection's set-up.
    ///
    /// - Parameters:
    ///   - change: Who made the change, when, and what it is, for the audit log.
    /// - Throws: `connection-unknown`.
    func keepSetup(_ setup: ConnectionSetup, of connection: ConnectionID, _ change: AuditEntry) async throws

    /// A connection's set-up; `nil` if it has none: then it only runs on command.
    func setup(of connection: ConnectionID) async throws -> ConnectionSetup?

    /// Pauses, resumes or stops a connection, or makes it due at another time. Its next run covers all of its streams, as after
    /// `keepSetup`.
    ///
    /// - Returns: Whether there is a set-up.
    /// - Throws: `connection-unknown`.
    func changeSetup(
        of connection: ConnectionID,
        status: ConnectionSetup.Status,
        dueAt: Int64?,
        _ change: AuditEntry
    ) async throws -> Bool

    /// Makes an active connection due at a time if it is due later, or if a run is under way: then it runs once more.
    ///
    /// - Returns: Whether that changed anything; `false` if it is due earlier, is not active, or has no set-up.
    func makeDue(_ connection: ConnectionID, at time: Int64) async throws -> Bool

    /// Claims due active connections, by plug, and within each plug's line in the order in which they were due.
    func claimDue(_ wish: ClaimWish) async throws -> DueClaims

    /// Extends a claim.
    ///
    /// - Returns: Whether the claim still counts.
    func extendClaim(_ claim: DueClaim, until: Int64) async throws -> Bool

    /// Ends a claim, and sets when the connection is due next.
    ///
    /// - Parameters:
    ///   - end: The connection's new state; a status other than active is recorded in the audit log as the host's change.
    /// - Returns: Whether the claim still counted; if not, nothing was changed.
    func endClaim(
        _ claim: DueClaim,
        _ end: ClaimEnd
    ) async throws -> Bool

    /// Ends all claims and makes their connections due again as before: for a host that starts, if no other host shares the
    /// store. `ReleasedClaims` says which of them are due later, because their hosts died.
    func releaseClaims(at now: Int64) async throws -> ReleasedClaims

    /// Unclaimed active set-ups with a due time, ordered by the names of their connections.
    ///
    /// - Parameters:
    ///   - name: Only those whose names come after this one.
    ///   - limit: The maximum number.
    func plannedSetups(after name: String, limit: Int) async throws -> [PlannedSetup]

    /// Makes connections due at other times, except those that have changed in the meantime.
    ///
    /// - Returns: How many were rescheduled.
    func reschedule(_ setups: [PlannedSetup]) async throws -> Int

    /// When the next active connection is due; `nil` if none is. A claimed one is due when its claim ends.
    func nextDue() async throws -> Int64?

    /// Records an action on a connection that changes no set-up, such as erasing its dead letters.
    ///
    /// - Throws: `connection-unknown`.
    func noteChange(_ change: AuditEntry, of connection: ConnectionID) async throws

    /// The latest changes of a connection, newest first. At most 200 are kept.
    func audit(of connection: ConnectionID) async throws -> [AuditEntry]

    /// The connections whose set-up has changed since a place, and where to continue.
    ///
    /// - Parameter place: The place returned by the last call; `nil` returns no connections, only the place.
    func connectionsChanged(since place: Int64?) async throws -> (connections: [Connection], place: Int64)
}

extension SetupStore {
    /// Claims due connections, whatever else is running.
    package func claimDue(at now: Int64, until: Int64, limit: Int) async throws -> [DueClaim] {
        try await claimDue(ClaimWish(at: now, until: until, limit: limit)).claims
    }
}
