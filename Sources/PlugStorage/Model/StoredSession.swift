/// A browser that is logged in to a host.
package struct StoredSession: Sendable, Equatable {
    /// Who logs in.
    package enum Role: String, Sendable, CaseIterable {
        /// Somebody with a PDA, who sees what belongs to it.
        case person
        /// Somebody who runs the host, and sees everything.
        case `operator`
    }

    /// The SHA-256 of the secret that the browser holds. The secret itself is stored nowhere.
    package var hash: [UInt8]
    /// What the browser may see.
    package var role: Role
    /// Who it is: the origin of a person's PDA, or an operator's name.
    package var subject: String
    /// When it began, as all times in microseconds since 1970.
    package var createdAt: Int64
    /// When it was used last, as far as that was written down.
    package var seenAt: Int64
    /// When it ends if it is not used before.
    package var endsAt: Int64
    /// When it ends whatever happens.
    package var lastsUntil: Int64

    /// A session.
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
