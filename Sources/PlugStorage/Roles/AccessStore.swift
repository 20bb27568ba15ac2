/// Who may use a host's web pages and its API: sessions of browsers, API keys, and links that let somebody in once.
///
/// What all roles promise stands at `PlugStore`. Secrets are known here by their SHA-256 only: each has 256 random bits, so that
/// whoever reads the database cannot use any of them.
package protocol AccessStore: Sendable {
    /// Begins a session, and ends the one in whose place it comes. Removes what has ended; of more sessions than
    /// `AccessLimit.sessions` the longest unused go.
    func beginSession(_ session: StoredSession, replacing old: [UInt8]?) async throws

    /// A session that has not ended; `nil` where there is none.
    func session(_ hash: [UInt8], at now: Int64) async throws -> StoredSession?

    /// Writes down that a session is used. It never lasts beyond `lastsUntil`.
    ///
    /// - Returns: Whether it is still there.
    func extendSession(_ hash: [UInt8], seenAt: Int64, endsAt: Int64) async throws -> Bool

    /// Ends a session.
    ///
    /// - Returns: Whether there was one.
    func endSession(_ hash: [UInt8]) async throws -> Bool

    /// Ends all sessions of somebody.
    ///
    /// - Returns: How many there were.
    func endSessions(of role: StoredSession.Role, subject: String) async throws -> Int

    /// Adds a key.
    ///
    /// - Parameter change: For the audit log of the host.
    /// - Returns: `false`, with nothing changed, where one has its name.
    func addAPIKey(_ key: StoredAPIKey, _ change: AuditEntry) async throws -> Bool

    /// The key with a hash; `nil` where there is none.
    func apiKey(_ hash: [UInt8]) async throws -> StoredAPIKey?

    /// All keys, ordered by name.
    func apiKeys() async throws -> [StoredAPIKey]

    /// Removes a key: from then on it opens nothing.
    ///
    /// - Parameter change: For the audit log of the host.
    /// - Returns: Whether there was one.
    func removeAPIKey(_ name: String, _ change: AuditEntry) async throws -> Bool

    /// Writes down that a key was used.
    func noteUse(ofAPIKey name: String, at: Int64) async throws

    /// Keeps a link. Removes what has ended; of more links than `AccessLimit.links` those that end first go.
    ///
    /// - Parameter change: For the audit log of the host.
    func keepLink(_ link: OneTimeLink, _ change: AuditEntry) async throws

    /// A link that can still be used; `nil` where there is none.
    func link(_ hash: [UInt8], at now: Int64) async throws -> OneTimeLink?

    /// Uses a link up: of any number of callers one gets it. It stands in the audit log of the host, with whom it has let in.
    func takeLink(_ hash: [UInt8], at now: Int64) async throws -> OneTimeLink?

    /// The audit log of the host, newest first: keys and links, made, used and removed. What concerns a connection stands in the
    /// connection's own.
    func hostAudit() async throws -> [AuditEntry]
}

/// How much is kept of what strangers may cause to be written.
package enum AccessLimit {
    /// Sessions.
    package static let sessions = 100_000
    /// Links.
    package static let links = 100
    /// Entries of the host's audit log.
    package static let changes = 500
}
