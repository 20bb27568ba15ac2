internal import FoundationEssentials
internal import GRDB
package import PlugCore

/// What a change of the host's key came to.
package struct RotationReceipt: Sendable, Equatable {
    /// Names the old key.
    package var oldKey: String
    /// Names the key that the state is sealed with now.
    package var newKey: String
    /// How many connections' keys were wrapped anew.
    package var connections: Int
    /// How many notes about servers were sealed anew.
    package var notes: Int
    /// The file that holds the new key.
    package var keyFile: String
}

extension SQLiteStore {
    /// Seals the state with another host key. Needs the folder for itself.
    ///
    /// What connections hold is sealed with keys of their own and stays as it is: those keys are wrapped anew, in one
    /// transaction. Killed at any moment the state is whole under the old key or the new one, and both keys are there until
    /// it is the new one: the next writer finishes what is left, or a second call begins again.
    ///
    /// - Parameters:
    ///   - folder: The state folder.
    ///   - wait: How long to wait until nobody else uses it.
    ///   - keyFile: Where the old key is, as for `open`.
    ///   - newKeyFile: A file with the new key; it has to be named where the old one is not the folder's own. `nil` makes one.
    ///   - credentials: As for `open`.
    ///   - clock: Time.
    /// - Throws: As `open`; `key-elsewhere` (64) where a new key has to be named; `state-missing` (78).
    package static func rotateKey(
        folder: String,
        wait: Duration,
        keyFile: String? = nil,
        newKeyFile: String? = nil,
        credentials: String? = SQLiteStore.credentialsDirectory,
        clock: any HostClock = SystemClock()
    ) async throws(PlugError) -> RotationReceipt {
        let folder = StateFolder(folder)
        let old = HostKeyFile(named: keyFile, credentials: credentials, folder: folder)
        let new = newKeyFile.map { HostKeyFile(named: $0, credentials: nil, folder: folder) }
        guard old.isFoldersOwn || new != nil else { throw old.elsewhere() }
        return try await Patience(wait, clock).untilFree { () async throws(PlugError) in
            let lock = try StateLock(folder, .alone, clock: clock)
            defer { lock.release() }
            return try await onAThreadOfItsOwn { () throws(PlugError) in
                try lock.inTurn { () throws(PlugError) in
                    try StoreContent.translated { try rotate(folder, old, new, lock, clock) }
                }
            }
        }
    }

    private static func rotate(
        _ folder: StateFolder,
        _ keyFile: HostKeyFile,
        _ newKeyFile: HostKeyFile?,
        _ lock: StateLock,
        _ clock: any HostClock
    ) throws -> RotationReceipt {
        guard folder.hasDatabase else { throw StoreErrors.lost(folder) }
        let writer = try DatabaseQueue(path: folder.database, configuration: StoreContent.writerConfiguration)
        defer { try? writer.close() }
        let keys = try writer.read { database in
            try Schema.content(of: database) == .nothing ? [] : StoreContent.hostKeys(database)
        }
        if keys.isEmpty { throw StoreErrors.lost(folder) }
        let old = try StoreContent.knownKey(keyFile, of: keys, folder, mayFinish: true).key
        let new: HostKey
        if let newKeyFile {
            guard let key = try newKeyFile.read() else { throw newKeyFile.missing(folder) }
            new = key
        } else {
            new = try keyFile.makeNext(in: folder)
        }
        var receipt = RotationReceipt(
            oldKey: old.id,
            newKey: new.id,
            connections: 0,
            notes: 0,
            keyFile: newKeyFile?.path ?? keyFile.path
        )
        if old.id != new.id {
            try writer.writeWithoutTransaction { try StoreContent.beginWriting($0) }
            if try writer.read({ try Schema.content(of: $0) }) != .current { try Schema.migrator.migrate(writer) }
            try writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA secure_delete = ON") }
            try writer.write { database in
                let arguments: StatementArguments = [new.id, clock.now()]
                try database.execute(sql: "INSERT INTO host_key VALUES (?, ?)", arguments: arguments)
                receipt.connections = try rewrapKeys(old, new, database)
                receipt.notes = try resealNotes(old, new, database)
                try resealConsents(old, new, database)
                try database.execute(sql: "DELETE FROM host_key WHERE id = ?", arguments: [old.id])
            }
        }
        if newKeyFile == nil { try keyFile.keepNext(in: folder) }
        lock.remark(LockMark(key: new.id))
        // The log still holds what the old key wrapped.
        writer.writeWithoutTransaction { StoreContent.checkpoint($0) }
        return receipt
    }

    /// Wraps all data keys anew, some at a time, so that memory stays small.
    private static func rewrapKeys(_ old: HostKey, _ new: HostKey, _ database: Database) throws -> Int {
        let sql = """
            SELECT data_key.id, name, plug, pda, created_at, wrapped
            FROM data_key JOIN connection ON connection.id = data_key.connection
            WHERE data_key.id > ? AND host_key = ? ORDER BY data_key.id LIMIT 1000
            """
        var (count, last) = (0, Int64(0))
        while true {
            let rows = try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [last, old.id])
            if rows.isEmpty { return count }
            for row in rows {
                let place = SealedPlace.dataKey(plug: row[2], pda: row[3], createdAt: row[4])
                let (id, name): (Int64, String) = (row[0], row[1])
                let wrapped = try old.rewrap(row[5], id: id, connection: name, place: place, for: new)
                try database.cachedStatement(sql: "UPDATE data_key SET host_key = ?, wrapped = ? WHERE id = ?")
                    .execute(arguments: [new.id, wrapped, id])
                last = id
            }
            count += rows.count
        }
    }

    /// Seals all notes anew, under the names that the new key hides them by. One that is not as it was written goes.
    private static func resealNotes(_ old: HostKey, _ new: HostKey, _ database: Database) throws -> Int {
        let rows = try Row.fetchAll(database, sql: "SELECT name, expires_at, sealed FROM server_note")
        let notes = rows.compactMap { old.openNote($0[2], row: $0[0], expiresAt: $0[1]) }
        try database.execute(sql: "DELETE FROM server_note")
        for note in notes {
            let arguments: StatementArguments = [new.hiddenName(ofNote: note.name), note.expiresAt, try new.seal(note)]
            try database.execute(sql: "INSERT INTO server_note VALUES (?, ?, ?)", arguments: arguments)
        }
        return notes.count
    }

    /// Seals all consents anew. One that is not as it was written goes.
    private static func resealConsents(_ old: HostKey, _ new: HostKey, _ database: Database) throws {
        for row in try ConsentRow.all(database) {
            let sealed = try row.consent(old).map { try new.seal($0) }
            try database.cachedStatement(sql: "UPDATE consent SET sealed = ? WHERE name = ?")
                .execute(arguments: [sealed, Data(row.name)])
        }
    }
}
