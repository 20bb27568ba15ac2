internal import PDAWire

/// The sender of a valid token.
struct Caller: Sendable {
    var claims: TokenClaims
    var user: User
    /// The application of an application's token; `nil` for a user's own, and for an application that cannot be resolved.
    var application: KnownApplication?

    /// Whether it is a user's own token.
    var isPlain: Bool { claims.application == nil }

    /// Whether one of these roles admits the caller.
    ///
    /// A user's own token needs one of the roles, and a scope that is one of the user's roles; the owner's admits everything. An
    /// application needs to be enabled and to have been granted one of the roles, or `owner`.
    ///
    /// - Parameters:
    ///   - plain: What a user's own token needs.
    ///   - application: What an application's token needs; `nil` for the same.
    ///   - exceptOwnerApplications: Whether `owner` is not enough for an application.
    func may(plain: [Role], application roles: [Role]? = nil, exceptOwnerApplications: Bool = false) -> Bool {
        let roles = roles ?? plain
        guard !isPlain else {
            let scopeFits = claims.scope.map { scope in user.roles.contains { $0.title == scope } } ?? true
            return scopeFits && (user.isOwner || plain.contains { user.has($0) })
        }
        // Unlike in the reference server, a disabled owner application may not do anything either.
        guard let application, application.isEnabled, user.isOwner || roles.contains(where: { user.has($0) }) else {
            return false
        }
        let granted = application.roles
        if !exceptOwnerApplications, granted.contains(.owner) { return true }
        return granted.contains { role in roles.contains { $0.isMet(by: role) } }
    }

    /// Throws the 403 unless one of these roles admits the caller.
    func demand(plain: [Role] = [], application: [Role]? = nil, exceptOwnerApplications: Bool = false) throws(Refusal) {
        guard may(plain: plain, application: application, exceptOwnerApplications: exceptOwnerApplications) else {
            throw .forbidden
        }
    }

    /// Throws the 403 unless it is the owner's own token.
    func demandOwnerInPerson() throws(Refusal) {
        guard isPlain else { throw .forbidden }
        try demand()
    }

    /// Whether the caller may write a namespace.
    func mayWrite(_ namespace: some StringProtocol) -> Bool { may(plain: [.write(String(namespace))]) }
    /// Whether the caller may read a namespace.
    func mayRead(_ namespace: some StringProtocol) -> Bool { may(plain: [.read(String(namespace))]) }
}
