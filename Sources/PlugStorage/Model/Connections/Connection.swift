package import PlugCore

/// One person's set-up of one plug, as the store knows it.
package struct Connection: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
    /// Its name.
    package var id: ConnectionID
    /// The plug's id.
    package var plug: String
    /// The origin of the PDA to which it permanently belongs.
    package var pda: String
    /// The key of the hash that fingerprints its records: 32 bytes, derived from the connection's data key.
    package var fingerprintKey: [UInt8]
    /// When it was created, in microseconds since 1970.
    package var createdAt: Int64
    /// What keeps it from making progress, as its last runs have ended; `nil` if nothing does.
    package var trouble: ConnectionTrouble?

    /// Creates a connection.
    package init(
        id: ConnectionID,
        plug: String,
        pda: String,
        fingerprintKey: [UInt8],
        createdAt: Int64,
        trouble: ConnectionTrouble? = nil
    ) {
        self.id = id
        self.plug = plug
        self.pda = pda
        self.fingerprintKey = fingerprintKey
        self.createdAt = createdAt
        self.trouble = trouble
    }

    /// The name: the key is never printed.
    package var description: String { id.name }
    /// A mirror without the key.
    package var customMirror: Mirror { Mirror(self, children: ["id": id.name, "plug": plug, "pda": pda]) }
}

/// A stream of a connection.
package struct StreamID: Sendable, Hashable, CustomStringConvertible {
    /// The connection.
    package var connection: ConnectionID
    /// Its name in the manifest.
    package var stream: String

    /// The name for the state that all streams of a source share, such as a program's: no stream can have this name.
    package static let shared = "(program)"

    /// Creates a stream's name.
    package init(connection: ConnectionID, stream: String) {
        self.connection = connection
        self.stream = stream
    }

    /// `connection/stream`.
    package var description: String { "\(connection)/\(stream)" }
}

/// A token returned in an answer's `X-Auth-Token`.
package struct KeptToken: Sendable, Equatable {
    /// The token.
    package var token: Secret
    /// Its `iat`, in seconds since 1970: only a newer one replaces it.
    package var issuedAt: Int64

    /// Creates a token to keep.
    package init(token: Secret, issuedAt: Int64) {
        self.token = token
        self.issuedAt = issuedAt
    }
}
