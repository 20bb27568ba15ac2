/// What a source has granted to a connection, under the name that the connection's plug gives it.
public struct GrantID: Sendable, Hashable, CustomStringConvertible {
    /// Whose grant.
    public var connection: ConnectionID
    /// Which one: a word, readable in the store, such as `oauth2` or `login`.
    public var name: String

    /// Names a grant.
    public init(connection: ConnectionID, name: String) {
        self.connection = connection
        self.name = name
    }

    /// `connection/name`.
    public var description: String { "\(connection)/\(name)" }
}

/// A grant as stored.
public struct StoredGrant: Sendable, Equatable {
    /// The tokens, in a form that only their writer reads.
    public var content: Secret
    /// Grows with each change: a caller that changes a grant says which version it has seen.
    public var version: Int64

    /// A grant.
    public init(content: Secret, version: Int64) {
        self.content = content
        self.version = version
    }
}

/// When to renew a grant that no run needs.
public enum GrantRenewal: Sendable, Equatable {
    /// As set last; for a new grant, never.
    case asItIs
    /// At a time, in microseconds since 1970; `nil` for never.
    case at(Int64?)
}

/// Where grants outlive the process. A store is one; `PlugStore` has the contract.
public protocol GrantKeeping: Sendable {
    /// A grant, `nil` if there is none.
    func grant(_ id: GrantID) async throws -> StoredGrant?

    /// Stores a grant in place of the version that the caller has seen. Durable on return, before the tokens are used.
    ///
    /// - Parameters:
    ///   - version: The version that was read; `nil` if there was none.
    ///   - renewal: When it is renewed although no run needs it.
    /// - Returns: The new version, greater than all before it. `nil` if the grant has been changed since by another writer: then
    ///   nothing is changed, and the stored grant is newer.
    func keepGrant(
        _ content: Secret,
        as id: GrantID,
        replacing version: Int64?,
        renewal: GrantRenewal
    ) async throws -> Int64?

    /// Takes the right to renew a grant, exclusively across tasks and processes until it ends. Does not wait.
    ///
    /// - Returns: `nil` if the right is already taken.
    func lockGrant(_ id: GrantID) async throws -> ConnectionLease?
}

extension GrantKeeping {
    /// Stores a grant and leaves its time of renewal unchanged.
    public func keepGrant(_ content: Secret, as id: GrantID, replacing version: Int64?) async throws -> Int64? {
        try await keepGrant(content, as: id, replacing: version, renewal: .asItIs)
    }
}
