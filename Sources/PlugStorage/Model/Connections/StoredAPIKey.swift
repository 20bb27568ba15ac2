/// A key that lets a program use a host's API.
package struct StoredAPIKey: Sendable, Equatable {
    /// The name the operator gave it; the audit log lists it with the changes made with the key.
    package var name: String
    /// The SHA-256 of the key. The key itself is never stored.
    package var hash: [UInt8]
    /// What it may do, such as `connections:read`, in order.
    package var scopes: [String]
    /// When it was created, in microseconds since 1970.
    package var createdAt: Int64
    /// When it was last used, to the minute or so; `nil` for never.
    package var usedAt: Int64?

    /// Creates a key.
    package init(name: String, hash: [UInt8], scopes: [String], createdAt: Int64, usedAt: Int64? = nil) {
        self.name = name
        self.hash = hash
        self.scopes = scopes
        self.createdAt = createdAt
        self.usedAt = usedAt
    }
}
