internal import GRDB
internal import Glibc
package import PlugCore

/// The contents of a copy of the state.
package struct BackupReceipt: Sendable, Equatable {
    /// The size of the file in bytes.
    package var bytes: Int
    /// The number of connections in it.
    package var connections: Int
    /// The file with the host's key that opens the copy, which is useless without it.
    package var keyFile: String
}

extension SQLiteStore {
    /// Copies the whole state into a file, as of a single moment, while others write. The host's key is not included.
    ///
    /// - Parameters:
    ///   - path: The file, which must not exist yet. It appears once it is complete and on disk; only its owner can read it.
    /// - Throws: `PlugError` `backup-exists` (78), `store-failed`.
    package func backUp(to path: String) async throws -> BackupReceipt {
        guard let content else { throw StoreErrors.nothingToBackUp }
        return try await onAThreadOfItsOwn {
            try StateCopy(of: path).make { copy in
                // sqlite3_backup(3) in one step: a reader's snapshot, which blocks no writer.
                do { try content.readers.poolAtOnce().backup(to: copy) } catch { throw StoreErrors.translate(error) }
            }
            let connections = try StateCopy.examine(path).connections
            var status = stat()
            guard stat(path, &status) == 0 else { throw StateCopy.failed("\(path) cannot be examined") }
            return BackupReceipt(
                bytes: status.st_size,
                connections: connections,
                keyFile: content.keys.file.absolutePath
            )
        }
    }

    /// Restores a copy of a state into a folder that has none.
    ///
    /// The copy is checked first: that it is undamaged and of a known version, and that the host's key opens it.
    ///
    /// - Parameters:
    ///   - path: A file created by `backUp`.
    ///   - folder: The state folder.
    ///   - keyFile: As for `open`. The key must exist.
    /// - Returns: The number of connections.
    /// - Throws: `PlugError` `backup-unreadable`, `state-there`, `key-missing`, `key-wrong` and others of `open` (78);
    ///   `state-locked` (75) if the folder is in use.
    package static func restore(
        from path: String,
        to folder: String,
        keyFile: String? = nil,
        credentials: String? = SQLiteStore.credentialsDirectory,
        clock: any HostClock = SystemClock()
    ) async throws(PlugError) -> Int {
        let folder = StateFolder(folder)
        let keyFile = HostKeyFile(named: keyFile, credentials: credentials, folder: folder)
        return try await onAThreadOfItsOwn { () throws(PlugError) in
            let (connections, keys) = try StateCopy.examine(path)
            try folder.make()
            let lock = try StateLock(folder, .alone, clock: clock)
            defer { lock.release() }
            guard !folder.hasDatabase else {
                throw PlugError(
                    .stateThere,
                    "there is already a state in \(folder.path)",
                    advice: "name an empty folder with --state DIR, or move the old state away first"
                )
            }
            // Without the key no one could open the restored state.
            let key = try StoreContent.knownKey(keyFile, of: keys, folder, mayFinish: false).key
            try StateCopy(of: folder.database).make { copy in
                let source = try StateCopy.open(path)
                defer { try? source.close() }
                do { try source.backup(to: copy) } catch { throw StoreErrors.translate(error) }
            }
            guard folder.synchronise() else { throw StateCopy.failed("\(folder.path) cannot be written") }
            lock.remark(LockMark(key: key.id))
            return connections
        }
    }
}

/// A database written as a whole: it appears in its place once it is complete and on disk, or not at all.
private struct StateCopy {
    private let path: String

    init(of path: String) { self.path = path }

    /// - Parameter fill: Fills the new database.
    func make(_ fill: (DatabaseQueue) throws -> Void) throws(PlugError) {
        let draft = "\(path).\(getpid()).new"
        // Only the owner can read it, from its first byte.
        guard let file = FileDescriptor(draft, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600) else {
            throw Self.failed("\(draft) cannot be created")
        }
        defer { unlink(draft) }
        do {
            let copy = try DatabaseQueue(path: draft, configuration: StoreContent.writerConfiguration)
            do {
                try fill(copy)
                try copy.close()
            } catch {
                try? copy.close()
                throw error
            }
        } catch { throw StoreErrors.plugError(error) }
        guard file.synchronise() else { throw Self.failed("\(draft) cannot be written") }
        // link(2) does not replace an existing file.
        guard link(draft, path) == 0 else {
            if errno == EEXIST {
                throw PlugError(
                    .backupExists,
                    "\(path) already exists",
                    advice: "name another file, or remove that one"
                )
            }
            throw Self.failed("\(path) cannot be created")
        }
    }

    /// Opens a copy for reading. It is not changed, and no files are left next to it.
    static func open(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: "file:\(StateFolder.inURI(path))?immutable=1", configuration: configuration)
    }

    /// Checks that a file is an undamaged copy, and returns its number of connections and the ids of its keys.
    static func examine(_ path: String) throws(PlugError) -> (connections: Int, keys: Set<String>) {
        guard access(path, R_OK) == 0 else { throw unreadable(path, lastSystemError()) }
        do {
            let copy = try open(path)
            defer { try? copy.close() }
            return try copy.read { database in
                let content = try Schema.content(of: database)
                guard content != .nothing else { throw unreadable(path, "it holds no state") }
                let faults = try String.fetchAll(database, sql: "PRAGMA quick_check(3)").filter { $0 != "ok" }
                if !faults.isEmpty { throw unreadable(path, "it is damaged (\(faults.joined(separator: "; ")))") }
                let connections = try Int.fetchOne(database, sql: "SELECT count(*) FROM connection") ?? 0
                return (connections, try StoreContent.hostKeys(database))
            }
        } catch let error as PlugError { throw error } catch {
            throw unreadable(path, "it is not a state, or is damaged")
        }
    }

    private static func unreadable(_ path: String, _ reason: String) -> PlugError {
        PlugError(
            .backupUnreadable,
            "\(DisplayText.escaped(path)) cannot be read: \(reason)",
            advice: "name a file that 'plughost backup' wrote; if it was copied, compare the sizes"
        )
    }

    static func failed(_ what: String) -> PlugError {
        let isForbidden = errno == EACCES || errno == EPERM
        return PlugError(
            .storeFailed,
            exit: lastSystemErrorPasses() ? .tryLater : .configuration,
            "\(what): \(lastSystemError())",
            advice: isForbidden
                ? "name a file in a folder that the user who runs this may write to, with the package: "
                    + "'sudo install -d -o plughost -m 700 /var/backups/plughost'"
                : lastSystemErrorAdvice()
        )
    }
}
