internal import LosslessJSON

/// A person who may log in. The owner is one of them, and is allowed everything.
struct User: Sendable, Equatable {
    /// The row; the owner's is 1.
    var number: Int64
    /// A UUID.
    var id: String
    /// The log-in name, which the reference server stores in a column named `email`.
    var name: String
    var displayName: String
    /// The `sub` of the user's tokens.
    var subject: String
    var salt: [UInt8]
    var hash: [UInt8]
    var roles: [Role]
    var isEnabled: Bool

    static let ownerNumber: Int64 = 1

    var isOwner: Bool { roles.contains(.owner) }

    /// Whether the user holds a role. Everyone may propose a data debit.
    func has(_ role: Role) -> Bool { roles.contains(role) || role == .dataDebit("") }

    /// The user as administration shows it: without the password's hash, which the reference server exposes.
    var json: JSONValue {
        let titles = roles.map(\.json)
        return .object([
            "userId": .text(id),
            "email": .text(name),
            "name": .text(displayName),
            "role": .text(roles.first?.title ?? "unknown"),
            "roles": .array(titles),
        ])
    }
}
