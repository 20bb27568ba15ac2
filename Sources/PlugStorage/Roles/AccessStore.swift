/// Who may use a host's web pages and its API: browser sessions, API keys, and links that let someone in once.
///
/// `PlugStore` states what all roles promise. Secrets are stored only as SHA-256 hashes: each has 256 random bits, so that a
/// reader of the database cannot use any of them.
///
/// SQLite: `SQLiteStore+Access.swift`.
package protocol AccessStore: Sendable {
    /// Begins a session, and ends the one it replaces. Removes expired sessions; beyond `AccessLimit.sessions` the longest unused
    /// are removed.
    func beginSession(_ session: StoredSession, replacing old: [UInt8]?) async throws

    /// A session that has not ended; `nil` if there is none.
    func session(_ hash: [UInt8], at now: Int64) async throws -> StoredSession?

    /// Records that a session is in use. It never lasts beyond `lastsUntil`.
    ///
    /// - Returns: Whether it still exists.
    func extendSession(_ hash: [UInt8], seenAt: Int64, endsAt: Int64) async throws -> Bool

    /// Ends a session.
    ///
    /// - Returns: Whether there was one.
    func endSession(_ hash: [UInt8]) async throws -> Bool

    /// Adds a key.
    ///
    /// - Parameter change: For the audit log of the host.
    /// - Returns: `false`, with nothing changed, if the name is taken.
    func addAPIKey(_ key: StoredAPIKey, _ change: AuditEntry) async throws -> Bool

    /// Finds a key by its hash; `nil` if there is none.
    func apiKey(_ hash: [UInt8]) async throws -> StoredAPIKey?

    /// All keys, ordered by name.
    func apiKeys() async throws -> [StoredAPIKey]

    /// Removes a key: it no longer grants access.
    ///
    /// - Parameter change: For the audit log of the host.
    /// - Returns: Whether there was one.
    func removeAPIKey(_ name: String, _ change: AuditEntry) async throws -> Bool

    /// Records that a key was used.
    func noteUse(ofAPIKey name: String, at: Int64) async throws

    /// Keeps a link. Removes expired links; beyond `AccessLimit.links` those that expire first are removed.
    ///
    /// - Parameter change: For the audit log of the host.
    func keepLink(_ link: OneTimeLink, _ change: AuditEntry) async throws

    /// A link that can still be used; `nil` if there is none.
    func link(_ hash: [UInt8], at now: Int64) async throws -> OneTimeLink?

    /// Consumes a link: only one of any number of callers gets it. The host's audit log lists it, with whom it has let in.
    func takeLink(_ hash: [UInt8], at now: Int64) async throws -> OneTimeLink?

    /// The audit log of the host, newest first: keys and links created, used and removed. Changes to a connection are in the
    /// connection's own log.
    func hostAudit() async throws -> [AuditEntry]
}

/// Limits on what strangers can cause to be stored.
package enum AccessLimit {
    /// The maximum number of sessions.
    package static let sessions = 100_000
    /// The maximum number of links.
    package static let links = 100
    /// The maximum number of entries in the host's audit log.
    package static let changes = 500
}
