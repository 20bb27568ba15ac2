internal import FoundationEssentials
internal import GRDB
internal import PlugCore

/// A stream as stored in the database, with its connection's key.
struct StreamRow {
    var rowID: Int64
    var id: StreamID
    var pass: Int64
    var key: DataKey

    /// The stream; `nil` if nothing was stored for it yet.
    static func find(_ id: StreamID, _ database: Database, _ hostKeys: HostKeys) throws -> StreamRow? {
        guard let connection = try ConnectionRow.find(id.connection, database, hostKeys) else { return nil }
        return try find(id, connection, database)
    }

    /// The stream, created if nothing was stored for it yet.
    static func make(
        _ id: StreamID,
        _ openRuns: OpenRuns,
        _ database: Database,
        _ hostKeys: HostKeys
    ) throws -> StreamRow {
        let held = openRuns.connection(id.connection)
        let connection = try held ?? ConnectionRow.require(id.connection, database, hostKeys)
        if let row = try find(id, connection, database) { return row }
        try database.run("INSERT INTO stream (connection, name) VALUES (?, ?)", connection.rowID, id.stream)
        return StreamRow(rowID: database.lastInsertedRowID, id: id, pass: 1, key: connection.key)
    }

    /// The stream of a connection that was already found.
    static func find(_ id: StreamID, _ connection: ConnectionRow, _ database: Database) throws -> StreamRow? {
        let sql = "SELECT id, pass FROM stream WHERE connection = ? AND name = ?"
        return try database.first(sql, connection.rowID, id.stream) { row in
            StreamRow(rowID: row[0], id: id, pass: row[1], key: connection.key)
        }
    }
}
