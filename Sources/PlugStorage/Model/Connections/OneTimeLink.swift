/// An address that logs someone in once.
package struct OneTimeLink: Sendable, Equatable {
    /// The SHA-256 of the token in the address. The token itself is never stored.
    package var hash: [UInt8]
    /// The role of the session that it begins.
    package var role: StoredSession.Role
    /// The subject of that session: the origin of a person's PDA, or an operator's name.
    package var subject: String
    /// When it expires unused, in microseconds since 1970.
    package var endsAt: Int64

    /// Creates a link.
    package init(hash: [UInt8], role: StoredSession.Role, subject: String, endsAt: Int64) {
        self.hash = hash
        self.role = role
        self.subject = subject
        self.endsAt = endsAt
    }
}

extension OneTimeLink {
    /// The audit-log entry for its use.
    package func used(at now: Int64) -> AuditEntry {
        AuditEntry(at: now, who: "\(role.rawValue) \(subject)", what: "logged in with a link")
    }
}
