internal import PDAWire

/// Who sent a valid token.
struct Caller: Sendable {
    var claims: TokenClaims
    /// The application of an application's token, `nil` for the owner's own.
    var application: KnownApplication?

    /// Whether one of these roles lets the caller in. The owner's own token does everything; an application needs to be
    /// enabled and to have been granted one of them, or `owner`.
    func may(_ anyOf: Role..., exceptOwnerApplications: Bool = false) -> Bool { may(anyOf, exceptOwnerApplications) }

    private func may(_ anyOf: [Role], _ exceptOwnerApplications: Bool) -> Bool {
        guard claims.application != nil else { return claims.scope.map { $0 == "owner" } ?? true }
        // Unlike the reference server, an owner application that is disabled may do nothing either.
        guard let application, application.isEnabled else { return false }
        let granted = application.roles
        if !exceptOwnerApplications, granted.contains(.owner) { return true }
        return granted.contains { role in anyOf.contains { $0.isMet(by: role) } }
    }

    /// Throws the 403 unless one of these roles lets the caller in.
    func demand(_ anyOf: Role..., exceptOwnerApplications: Bool = false) throws(Refusal) {
        guard may(anyOf, exceptOwnerApplications) else { throw .forbidden }
    }

    /// Whether the caller may write a namespace.
    func mayWrite(_ namespace: some StringProtocol) -> Bool { may(.write(String(namespace))) }
}
