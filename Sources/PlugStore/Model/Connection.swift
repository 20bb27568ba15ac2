public import PlugCore

/// One person's set-up of one plug, as the store knows it.
public struct Connection: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    /// Its name.
    public var id: ConnectionID
    /// The plug's id.
    public var plug: String
    /// The origin of the PDA that it belongs to, for good.
    public var pda: String
    /// The key of the hash that fingerprints its records: 32 bytes, derived from the connection's data key.
    public var fingerprintKey: [UInt8]
    /// When it was made, in microseconds since 1970.
    public var createdAt: Int64

    /// A connection.
    public init(id: ConnectionID, plug: String, pda: String, fingerprintKey: [UInt8], createdAt: Int64) {
        self.id = id
        self.plug = plug
        self.pda = pda
        self.fingerprintKey = fingerprintKey
        self.createdAt = createdAt
    }

    /// The name: the key is never printed.
    public var description: String { id.name }
    /// A mirror without the key.
    public var customMirror: Mirror { Mirror(self, children: ["id": id.name, "plug": plug, "pda": pda]) }
}

/// A stream of a connection.
public struct StreamID: Sendable, Hashable, CustomStringConvertible {
    /// Whose stream.
    public var connection: ConnectionID
    /// Its name in the manifest.
    public var stream: String

    /// Names a stream.
    public init(connection: ConnectionID, stream: String) {
        self.connection = connection
        self.stream = stream
    }

    /// `connection/stream`.
    public var description: String { "\(connection)/\(stream)" }
}

/// A token that an answer's `X-Auth-Token` gave.
public struct KeptToken: Sendable, Equatable {
    /// The token.
    public var token: Secret
    /// Its `iat`, in seconds since 1970: only a newer one replaces it.
    public var issuedAt: Int64

    /// A token to keep.
    public init(token: Secret, issuedAt: Int64) {
        self.token = token
        self.issuedAt = issuedAt
    }
}
