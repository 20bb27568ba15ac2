/// A browser session on a host.
package struct StoredSession: Sendable, Equatable {
    /// The role of the user.
    package enum Role: String, Sendable, CaseIterable {
        /// Someone with a PDA, who sees what belongs to it.
        case person
        /// Someone who runs the host, and sees everything.
        case `operator`
    }

    /// The SHA-256 of the browser's secret. The secret itself is never stored.
    package var hash: [UInt8]
    /// What the browser may see.
    package var role: Role
    /// The user: the origin of a person's PDA, or an operator's name.
    package var subject: String
    /// When it began; like all times here, in microseconds since 1970.
    package var createdAt: Int64
    /// When it was last used, as far as recorded.
    package var seenAt: Int64
    /// When it ends unless it is used before.
    package var endsAt: Int64
    /// When it ends in any case.
    package var lastsUntil: Int64

    /// Creates a session.
    package init(
        hash: [UInt8],
        role: Role,
        subject: String,
        createdAt: Int64,
        endsAt: Int64,
        lastsUntil: Int64
    ) {
        self.hash = hash
        self.role = role
        self.subject = subject
        self.createdAt = createdAt
        seenAt = createdAt
        self.endsAt = endsAt
        self.lastsUntil = lastsUntil
    }
}
