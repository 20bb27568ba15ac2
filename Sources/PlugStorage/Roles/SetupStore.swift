package import PlugCore

/// What a host runs by itself, and when.
///
/// What all roles promise stands at `PlugStore`. A change that somebody makes ends the claim of a run that is under way: the
/// run may finish, but what it says about the schedule does not count any more.
package protocol SetupStore: Sendable {
    /// Makes a connection with its set-up and its token, all or nothing.
    ///
    /// - Parameters:
    ///   - pda: The PDA's origin.
    ///   - token: The PDA's token; `nil` where there is none yet.
    ///   - change: Who made it, when, and what it is, for the audit log.
    /// - Returns: The connection; `nil` if there is one of this name already, of which nothing is changed.
    func addConnection(
        _ id: ConnectionID,
        plug: String,
        pda: String,
        token: KeptToken?,
        setup: ConnectionSetup,
        _ change: AuditEntry
    ) async throws -> Connection?

    /// Keeps a connection's set-up in the place of the one before.
    ///
    /// - Parameters:
    ///   - change: Who made it, when, and what it is, for the audit log.
    /// - Throws: `connection-unknown`.
    func keepSetup(_ setup: ConnectionSetup, of connection: ConnectionID, _ change: AuditEntry) async throws

    /// A connection's set-up, `nil` if it has none: then only commands run it.
    func setup(of connection: ConnectionID) async throws -> ConnectionSetup?

    /// Pauses, resumes or stops a connection, or makes it due at another time. Its next run is for all of its streams, as it is
    /// after `keepSetup`.
    ///
    /// - Returns: Whether there is a set-up.
    /// - Throws: `connection-unknown`.
    func changeSetup(
        of connection: ConnectionID,
        status: ConnectionSetup.Status,
        dueAt: Int64?,
        _ change: AuditEntry
    ) async throws -> Bool

    /// Makes an active connection due at a time where it is due later, or where its run is under way: then it runs once more.
    ///
    /// - Returns: Whether that changed anything; `false` where it is due before, is not active, or has no set-up.
    func makeDue(_ connection: ConnectionID, at time: Int64) async throws -> Bool

    /// Claims active connections that are due, by plug, and in each plug's line those first that were due first.
    func claimDue(_ wish: ClaimWish) async throws -> DueClaims

    /// Says that a claim lasts longer.
    ///
    /// - Returns: Whether the claim still counts.
    func extendClaim(_ claim: DueClaim, until: Int64) async throws -> Bool

    /// Ends a claim, and says when the connection is due next.
    ///
    /// - Parameters:
    ///   - end: What the connection is from now on; another status than active is in the audit log as the host's change.
    /// - Returns: Whether the claim still counted; otherwise nothing was changed.
    func endClaim(
        _ claim: DueClaim,
        _ end: ClaimEnd
    ) async throws -> Bool

    /// Ends all claims and makes their connections due when they were: for a host that begins, where no other host shares the
    /// store. `ReleasedClaims` says which of them are due later, because they outlive no host.
    func releaseClaims(at now: Int64) async throws -> ReleasedClaims

    /// Active set-ups that nobody has claimed and that have a due time, by the names of their connections.
    ///
    /// - Parameters:
    ///   - name: Those whose names come after this one.
    ///   - limit: At most so many.
    func plannedSetups(after name: String, limit: Int) async throws -> [PlannedSetup]

    /// Makes connections due at other times, each if nothing else has happened to it.
    ///
    /// - Returns: How many it did so for.
    func reschedule(_ setups: [PlannedSetup]) async throws -> Int

    /// When the next active connection is due, `nil` where none is. A claimed one counts with the end of its claim.
    func nextDue() async throws -> Int64?

    /// Writes down that somebody has done something with a connection that changes no set-up, such as erasing its dead letters.
    ///
    /// - Throws: `connection-unknown`.
    func noteChange(_ change: AuditEntry, of connection: ConnectionID) async throws

    /// The newest changes of a connection, newest first. At most 200 are kept.
    func audit(of connection: ConnectionID) async throws -> [AuditEntry]

    /// The connections whose set-up was changed since, and where to go on.
    ///
    /// - Parameter place: Where the last call said to go on; `nil` gives no connections, only the place.
    func connectionsChanged(since place: Int64?) async throws -> (connections: [Connection], place: Int64)
}

extension SetupStore {
    /// Claims connections that are due, whatever else runs.
    package func claimDue(at now: Int64, until: Int64, limit: Int) async throws -> [DueClaim] {
        try await claimDue(ClaimWish(at: now, until: until, limit: limit)).claims
    }
}
