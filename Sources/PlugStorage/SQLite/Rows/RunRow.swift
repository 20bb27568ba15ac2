internal import GRDB
internal import PlugCore

/// A run that has begun, as stored in the database, with its connection.
struct RunRow {
    var id: Int64
    var connection: ConnectionRow
    var version: String
    var at: Int64
    var hasEnded = false

    /// Finds a run by its id.
    static func require(_ id: Int64, _ database: Database, _ hostKeys: HostKeys) throws -> RunRow {
        let sql = "SELECT connection, version, at, ended_at FROM run WHERE id = ?"
        let found = try database.first(sql, id) { run in
            (connection: run[0] as Int64, version: run[1] as String, at: run[2] as Int64, end: run[3] as Int64?)
        }
        guard let run = found else { throw StoreErrors.runUnknown(id) }
        let connection = try ConnectionRow.require(run.connection, database, hostKeys)
        return RunRow(id: id, connection: connection, version: run.version, at: run.at, hasEnded: run.end != nil)
    }
}
