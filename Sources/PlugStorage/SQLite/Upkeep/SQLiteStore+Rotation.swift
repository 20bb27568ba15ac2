internal import FoundationEssentials
internal import GRDB
package import PlugCore

/// The result of changing the host's key.
package struct RotationReceipt: Sendable, Equatable {
    /// Names the old key.
    package var oldKey: String
    /// Names the key with which the state is now sealed.
    package var newKey: String
    /// The number of connections whose keys were rewrapped.
    package var connections: Int
    /// The number of server notes that were resealed.
    package var notes: Int
    /// The file that holds the new key.
    package var keyFile: String
}

/// The progress of a change of the host's key.
package struct RotationProgress: Sendable, Equatable {
    /// The number of connections whose keys this process has rewrapped.
    package var done: Int
    /// The total number of connections.
    package var total: Int
}

extension SQLiteStore {
    /// The number of keys wrapped in one transaction: concurrent runs wait no longer than for a page.
    package static let rotationStep = 500

    /// Reseals the state with another host key, while others use it.
    ///
    /// The data of connections is sealed with keys of their own and stays as it is: those keys are rewrapped, several in each
    /// transaction. From the first one on the new key seals, and each of the two opens what it has sealed, in all processes (see
    /// `HostKeys`). If the process is killed at any moment, the state is intact, and both keys exist until nothing is left under
    /// the old one: the next call, or `resumeRotation`, continues from there.
    ///
    /// - Parameters:
    ///   - newKeyFile: A file with the new key; required if the old one is not the folder's own. `nil` creates one.
    ///   - step: The number of keys wrapped in one transaction.
    ///   - progress: Is called after each step. A cancelled task stops there.
    /// - Throws: `key-elsewhere` (64) if a new key must be named; `state-locked` (75) if another process is changing the key; the
    ///   errors of `open` for the new key.
    package func rotateKey(
        to newKeyFile: String? = nil,
        step: Int = SQLiteStore.rotationStep,
        progress: @Sendable (RotationProgress) async -> Void = { _ in }
    ) async throws(PlugError) -> RotationReceipt {
        try await Patience(patience, clock).untilFree { () async throws(PlugError) in
            do {
                guard let receipt = try await rotating({ try await beginRotation(to: newKeyFile, $0) }, step, progress)
                else {
                    throw StoreErrors.rekeying
                }
                return receipt
            } catch { throw StoreErrors.plugError(error) }
        }
    }

    /// Continues a change of the host's key that a process began but did not finish.
    ///
    /// - Returns: The result; `nil` if nothing is left to do, or another process is doing it.
    package func resumeRotation() async throws -> RotationReceipt? {
        guard try await isRotating() else { return nil }
        return try await rotating({ _ in try await unfinishedRotation() }, Self.rotationStep, { _ in })
    }

    /// Whether a change of the host's key was begun but not finished.
    package func isRotating() async throws -> Bool {
        try await read(false) { database, _ in
            try Int.fetchOne(database.cachedStatement(sql: "SELECT count(*) FROM host_key")) ?? 0 > 1
        }
    }

    // MARK: - Steps

    /// A change that has begun, or for which nothing needs to be done.
    private struct Rotation: Sendable {
        var old: String
        var new: HostKey
        /// The file named for the new key.
        var file: String?
        var isNeeded = true
    }

    /// Performs the whole change; `nil` if another process does so, or there is none.
    private func rotating(
        _ begin: (StoreContent) async throws -> Rotation?,
        _ step: Int,
        _ progress: @Sendable (RotationProgress) async -> Void
    ) async throws -> RotationReceipt? {
        let locks = try locks()
        guard let content, try locks.lockKeyChange() else { return nil }
        defer { locks.unlockKeyChange() }
        guard let rotation = try await begin(content) else { return nil }
        var receipt = RotationReceipt(
            oldKey: rotation.old,
            newKey: rotation.new.id,
            connections: 0,
            notes: 0,
            keyFile: rotation.file ?? content.keys.file.path
        )
        guard rotation.isNeeded else { return receipt }
        let total = try await read(0) { database, _ in
            try Int.fetchOne(database, sql: "SELECT count(*) FROM data_key") ?? 0
        }
        var last: Int64? = 0
        while let after = last {
            let (next, count) = try await write { try Self.rewrapKeys(after: after, step, rotation.new, $0, $1) }
            last = next
            receipt.connections += count
            await progress(RotationProgress(done: receipt.connections, total: total))
            try Task.checkCancellation()
        }
        var name: Data? = Data()
        while let after = name {
            let (next, count) = try await write { try Self.resealNotes(after: after, step, rotation.new, $0, $1) }
            name = next
            try Task.checkCancellation()
            receipt.notes += count
        }
        var consent: Int64? = 0
        while let after = consent {
            consent = try await write { try Self.resealConsents(after: after, step, rotation.new, $0, $1) }
            try Task.checkCancellation()
        }
        try await write { database, _ in
            try database.execute(sql: "DELETE FROM host_key WHERE id <> ?", arguments: [rotation.new.id])
        }
        if rotation.file == nil { try content.keys.file.keepNext(in: content.folder) }
        locks.remark(LockMark(key: rotation.new.id))
        // The log still holds the keys as wrapped by the old key.
        _ = await content.emptyLog()
        return receipt
    }

    /// Continues an unfinished change, or begins one. The new key is on disk before anything is sealed with it.
    private func beginRotation(to newKeyFile: String?, _ content: StoreContent) async throws -> Rotation? {
        let named = newKeyFile.map { HostKeyFile(at: $0) }
        guard content.keys.file.isFoldersOwn || named != nil else { throw content.keys.file.elsewhere() }
        let wanted = try named?.read()
        if let named, wanted == nil { throw named.missing(content.folder) }
        if let unfinished = try await unfinishedRotation() {
            guard let wanted, wanted.id != unfinished.new.id else { return unfinished }
            throw PlugError(
                .stateLocked,
                "the state is half way to another key than the one in \(newKeyFile ?? "")",
                advice: "end that change first: run 'plughost keys rotate' as it was run before"
            )
        }
        let old = try await read(nil) { try $1.current($0) }
        guard let old else { throw StoreErrors.lost(content.folder) }
        if let wanted, wanted.id == old.id {
            return Rotation(old: old.id, new: wanted, file: newKeyFile, isNeeded: false)
        }
        let new = try wanted ?? content.keys.file.makeNext(in: content.folder)
        content.keys.add(new)
        let now = clock.now()
        // Other processes look for it there, whatever their working directory.
        let file = named?.absolutePath
        try await write { database, _ in
            let arguments: StatementArguments = [new.id, now, file]
            try database.execute(
                sql: "INSERT INTO host_key (id, created_at, file) VALUES (?, ?, ?)",
                arguments: arguments
            )
        }
        return Rotation(old: old.id, new: new, file: newKeyFile)
    }

    private func unfinishedRotation() async throws -> Rotation? {
        try await read(nil) { database, keys in
            let rows = try Row.fetchAll(database, sql: "SELECT id, file FROM host_key ORDER BY rowid DESC")
            guard rows.count > 1, let newest = rows.first, let oldest = rows.last else { return nil }
            return Rotation(old: oldest[0], new: try keys.key(newest[0], database), file: newest[1])
        }
    }

    /// Rewraps some data keys.
    ///
    /// - Returns: The last one examined, `nil` after the very last; and how many were wrapped.
    private static func rewrapKeys(
        after last: Int64,
        _ step: Int,
        _ new: HostKey,
        _ database: Database,
        _ keys: HostKeys
    ) throws -> (last: Int64?, count: Int) {
        let sql = """
            SELECT data_key.id, name, plug, pda, created_at, wrapped, host_key
            FROM data_key JOIN connection ON connection.id = data_key.connection
            WHERE data_key.id > ? AND host_key <> ? ORDER BY data_key.id LIMIT ?
            """
        // Overwritten values leave nothing behind that the old key could open.
        try database.execute(sql: "PRAGMA secure_delete = ON")
        defer { try? database.execute(sql: "PRAGMA secure_delete = FAST") }
        let rows = try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [last, new.id, step])
        for row in rows {
            let place = SealedPlace.dataKey(plug: row[2], pda: row[3], createdAt: row[4])
            let (id, name): (Int64, String) = (row[0], row[1])
            let old = try keys.key(row[6], database)
            let wrapped = try old.rewrap(row[5], id: id, connection: name, place: place, for: new)
            try database.cachedStatement(sql: "UPDATE data_key SET host_key = ?, wrapped = ? WHERE id = ?")
                .execute(arguments: [new.id, wrapped, id])
        }
        return (rows.count < step ? nil : rows.last?[0], rows.count)
    }

    /// Reseals some notes, under their hidden names for the new key. A note that no key opens is deleted: it is a memo.
    private static func resealNotes(
        after last: Data,
        _ step: Int,
        _ new: HostKey,
        _ database: Database,
        _ keys: HostKeys
    ) throws -> (last: Data?, count: Int) {
        let sql = "SELECT name, expires_at, sealed FROM server_note WHERE name > ? ORDER BY name LIMIT ?"
        let rows = try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [last, step])
        let others = try keys.all(database).filter { $0.id != new.id }
        var count = 0
        for row in rows where new.openNote(row[2], row: row[0], expiresAt: row[1]) == nil {
            let note = others.lazy.compactMap { $0.openNote(row[2], row: row[0], expiresAt: row[1]) }.first
            try database.cachedStatement(sql: "DELETE FROM server_note WHERE name = ?")
                .execute(arguments: [row[0] as Data])
            guard let note else { continue }
            try keys.keep(note, database)
            count += 1
        }
        return (rows.count < step ? nil : rows.last?[0], count)
    }

    /// Reseals some consents. One that no key opens counts as answered.
    ///
    /// - Returns: The last one examined; `nil` after the very last.
    private static func resealConsents(
        after last: Int64,
        _ step: Int,
        _ new: HostKey,
        _ database: Database,
        _ keys: HostKeys
    ) throws -> Int64? {
        let rows = try ConsentRow.some(after: last, limit: step, database)
        for row in rows where row.consent(new) == nil {
            let sealed = try row.consent(keys, database).map { try new.seal($0) }
            try database.cachedStatement(sql: "UPDATE consent SET sealed = ? WHERE id = ?")
                .execute(arguments: [sealed, row.id])
        }
        return rows.count < step ? nil : rows.last?.id
    }
}
