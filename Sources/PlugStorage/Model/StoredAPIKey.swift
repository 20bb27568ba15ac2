/// A key with which a program may use a host's API.
package struct StoredAPIKey: Sendable, Equatable {
    /// What the operator calls it; it stands in the audit log of what the key has changed.
    package var name: String
    /// The SHA-256 of the key. The key itself is stored nowhere.
    package var hash: [UInt8]
    /// What it may do, such as `connections:read`, in order.
    package var scopes: [String]
    /// When it was made, in microseconds since 1970.
    package var createdAt: Int64
    /// When it was used last, to the minute or so; `nil` for never.
    package var usedAt: Int64?

    /// A key.
    package init(name: String, hash: [UInt8], scopes: [String], createdAt: Int64, usedAt: Int64? = nil) {
        self.name = name
        self.hash = hash
        self.scopes = scopes
        self.createdAt = createdAt
        self.usedAt = usedAt
    }
}
