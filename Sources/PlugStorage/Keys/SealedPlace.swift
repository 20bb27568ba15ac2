/// Where a sealed value belongs: bound to it as associated data, so that it opens nowhere else.
struct SealedPlace {
    /// The format of sealed values that are written now.
    static let version: UInt8 = 1

    /// The table, such as `state`.
    var table: String
    /// The row's identity in the table, in a fixed order.
    var row: [String]

    /// Version, key, table, connection and row, each prefixed with its length.
    func associatedData(connection: String, key: String) -> [UInt8] {
        var writer = ByteWriter(capacity: 256)
        writer.append(Int64(Self.version))
        writer.append(key)
        writer.append(table)
        writer.append(connection)
        for field in row { writer.append(field) }
        return writer.bytes
    }
}

extension SealedPlace {
    static func profile(stream: String) -> Self { Self(table: "profile", row: [stream]) }

    static func state(stream: String, part: String) -> Self { Self(table: "state", row: [stream, part]) }

    static func deadLetter(_ id: Int64, stream: String, at: Int64) -> Self {
        Self(table: "dead letter", row: ["\(id)", stream, "\(at)"])
    }

    static func outbox(_ id: Int64, stream: String, at: Int64) -> Self {
        Self(table: "outbox batch", row: ["\(id)", stream, "\(at)"])
    }

    static func inventory(_ id: Int64, stream: String, pass: Int64) -> Self {
        Self(table: "inventory", row: ["\(id)", stream, "\(pass)"])
    }

    static func token(issuedAt: Int64) -> Self { Self(table: "token", row: ["\(issuedAt)"]) }

    static func grant(_ name: String, version: Int64) -> Self { Self(table: "grant", row: [name, "\(version)"]) }

    /// A connection has a single set-up.
    static let setup = Self(table: "setup", row: [])

    static func run(_ id: Int64) -> Self { Self(table: "run report", row: ["\(id)"]) }

    static func dataKey(plug: String, pda: String, createdAt: Int64) -> Self {
        Self(table: "data key", row: [plug, pda, "\(createdAt)"])
    }
}
