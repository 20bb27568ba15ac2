/// What a source has granted to a connection, by the name that the connection's plug has for it.
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

/// A grant as it is kept.
public struct StoredGrant: Sendable, Equatable {
    /// The tokens, in a form that only those read who write it.
    public var content: Secret
    /// Grows with each change: whoever changes a grant says which version they have seen.
    public var version: Int64

    /// A grant.
    public init(content: Secret, version: Int64) {
        self.content = content
        self.version = version
    }
}

/// When a grant is renewed although no run needs it.
public enum GrantRenewal: Sendable, Equatable {
    /// What was said last stays so; for a grant that is new, never.
    case asItIs
    /// At a time, in microseconds since 1970; `nil` for never.
    case at(Int64?)
}

/// Where grants outlive the process. A store is one; `PlugStore` has the contract.
public protocol GrantKeeping: Sendable {
    /// A grant, `nil` if there is none.
    func grant(_ id: GrantID) async throws -> StoredGrant?

    /// Keeps a grant in the place of the version that the caller has seen. Durable on return, before the tokens are used.
    ///
    /// - Parameters:
    ///   - version: The version that was read; `nil` where there was none.
    ///   - renewal: When it is renewed although no run needs it.
    /// - Returns: The new version, greater than all before it. `nil` if somebody else has changed the grant since: then
    ///   nothing is changed, and what is there is newer.
    func keepGrant(
        _ content: Secret,
        as id: GrantID,
        replacing version: Int64?,
        renewal: GrantRenewal
    ) async throws -> Int64?

    /// Takes the right to renew a grant, which no other task and no other process then has until it ends. Does not wait.
    ///
    /// - Returns: `nil` where somebody else has it.
    func lockGrant(_ id: GrantID) async throws -> ConnectionLease?
}

extension GrantKeeping {
    /// Keeps a grant whose time of renewal stays as it is.
    public func keepGrant(_ content: Secret, as id: GrantID, replacing version: Int64?) async throws -> Int64? {
        try await keepGrant(content, as: id, replacing: version, renewal: .asItIs)
    }
}
