internal import FoundationEssentials
internal import GRDB
internal import PlugCore

/// A connection as stored in the database, with its key unwrapped.
struct ConnectionRow {
    var rowID: Int64
    var connection: Connection
    var key: DataKey

    private static let columns = """
        SELECT connection.id, name, plug, pda, created_at, data_key.id, host_key, wrapped,
            trouble_code, trouble_since, trouble_runs
        FROM connection LEFT JOIN data_key ON data_key.connection = connection.id
        """

    /// Finds a connection by name; `nil` if there is none.
    static func find(_ id: ConnectionID, _ database: Database, _ hostKeys: HostKeys) throws -> ConnectionRow? {
        try database.first("\(columns) WHERE name = ?", id.name) { try ConnectionRow($0, database, hostKeys) }
    }

    /// Finds a connection by name, for writes.
    static func require(_ id: ConnectionID, _ database: Database, _ hostKeys: HostKeys) throws -> ConnectionRow {
        guard let row = try find(id, database, hostKeys) else { throw StoreErrors.connectionUnknown(id) }
        return row
    }

    /// The connection of a recorded run.
    static func require(_ rowID: Int64, _ database: Database, _ hostKeys: HostKeys) throws -> ConnectionRow {
        let sql = "\(columns) WHERE connection.id = ?"
        guard let row = try database.first(sql, rowID, read: { try ConnectionRow($0, database, hostKeys) }) else {
            throw StoreErrors.damaged("run", connection: "number \(rowID)")
        }
        return row
    }

    /// All connections, by name.
    static func all(_ database: Database, _ hostKeys: HostKeys) throws -> [ConnectionRow] {
        try database.all("\(columns) ORDER BY name") { try ConnectionRow($0, database, hostKeys) }
    }

    /// The connections of a plug at a PDA, by name.
    static func all(
        of plug: String,
        at pda: String,
        _ database: Database,
        _ hostKeys: HostKeys
    ) throws -> [ConnectionRow] {
        let sql = "\(columns) WHERE pda = ? AND plug = ? ORDER BY name LIMIT 100"
        return try database.all(sql, pda, plug) { try ConnectionRow($0, database, hostKeys) }
    }

    /// The connections of a PDA, by name.
    static func all(at pda: String, _ database: Database, _ hostKeys: HostKeys) throws -> [ConnectionRow] {
        let sql = "\(columns) WHERE pda = ? ORDER BY name LIMIT 200"
        return try database.all(sql, pda) { try ConnectionRow($0, database, hostKeys) }
    }

    /// Creates a connection and its key.
    static func insert(
        _ id: ConnectionID,
        plug: String,
        pda: String,
        at: Int64,
        _ database: Database,
        _ hostKeys: HostKeys
    ) throws -> ConnectionRow {
        let connecting = "INSERT INTO connection (name, plug, pda, created_at) VALUES (?, ?, ?, ?)"
        try database.run(connecting, id.name, plug, pda, at)
        let rowID = database.lastInsertedRowID
        let keyID = try database.nextID(of: "data_key")
        let place = SealedPlace.dataKey(plug: plug, pda: pda, createdAt: at)
        let hostKey = try hostKeys.current(database)
        let (key, wrapped) = try hostKey.makeDataKey(id: keyID, connection: id.name, place: place)
        let sql = "INSERT INTO data_key (id, connection, host_key, wrapped) VALUES (?, ?, ?, ?)"
        try database.run(sql, keyID, rowID, hostKey.id, wrapped)
        return ConnectionRow(rowID: rowID, key: key, id: id, plug: plug, pda: pda, at: at)
    }

    private init(_ row: SQLColumns, _ database: Database, _ hostKeys: HostKeys) throws {
        let id = ConnectionID(row[1])
        let (plug, pda, at): (String, String, Int64) = (row[2], row[3], row[4])
        guard let keyID = row[5] as Int64?, let sealedWith = row[6] as String?, let wrapped = row[7] as Data? else {
            throw StoreErrors.damaged("data key", connection: id.name)
        }
        let place = SealedPlace.dataKey(plug: plug, pda: pda, createdAt: at)
        let hostKey = try hostKeys.key(sealedWith, database)
        let key = try hostKey.unwrap(wrapped, id: keyID, connection: id.name, place: place)
        self.init(rowID: row[0], key: key, id: id, plug: plug, pda: pda, at: at)
        if let code = row[8] as String?, let since = row[9] as Int64? {
            connection.trouble = ConnectionTrouble(code: code, since: since, runs: row[10])
        }
    }

    private init(rowID: Int64, key: DataKey, id: ConnectionID, plug: String, pda: String, at: Int64) {
        self.rowID = rowID
        self.key = key
        connection = Connection(id: id, plug: plug, pda: pda, fingerprintKey: key.fingerprintKey, createdAt: at)
    }
}
