internal import GRDB
internal import PlugCore
internal import Synchronization

/// An open database with the keys to its contents.
final class StoreContent: Sendable {
    let keys: HostKeys
    let folder: StateFolder
    let readers: StoreReaders
    /// The one connection that writes; `nil` for a reader.
    let writer: WriteQueue?
    private let writerDatabase: DatabaseQueue?
    private let lock: StateLock?

    private init(
        _ folder: StateFolder,
        _ keys: HostKeys,
        readers: DatabasePool? = nil,
        writerDatabase: DatabaseQueue? = nil,
        lock: StateLock? = nil,
        committed: @escaping @Sendable (Duration) -> Void = { _ in }
    ) {
        self.folder = folder
        self.keys = keys
        self.readers = StoreReaders(folder, readers)
        self.writerDatabase = writerDatabase
        self.lock = lock
        writer = writerDatabase.map { WriteQueue($0, lock, committed: committed) }
    }

    /// Opens an existing database for reading; `nil` if there is none yet.
    static func read(_ folder: StateFolder, _ keyFile: HostKeyFile) throws(PlugError) -> StoreContent? {
        let wasThere = keyFile.showsThatThereWasAState || LockMark.read(folder) != nil
        guard folder.hasDatabase else {
            if wasThere { throw StoreErrors.lost(folder) }
            return nil
        }
        return try translated {
            let (readers, content, keys) = try openToRead(folder)
            guard content != .older else {
                throw PlugError(
                    .stateOlder,
                    "the state was written by an older plughost",
                    advice: "a command that writes, such as run, upgrades it"
                )
            }
            if keys.isEmpty {
                if wasThere { throw StoreErrors.lost(folder) }
                return nil
            }
            let key = try knownKey(keyFile, of: keys, folder, mayFinish: false).key
            return StoreContent(folder, HostKeys(key, in: keyFile), readers: readers)
        }
    }

    /// What upgrading a database would do; `nil` if there is none. Changes nothing.
    static func plan(_ folder: StateFolder) throws(PlugError) -> SchemaPlan? {
        guard folder.hasDatabase else { return nil }
        return try translated {
            func look(_ readers: DatabasePool) throws -> [SchemaChange] {
                defer { try? readers.close() }
                return try readers.read { try Schema.missing(in: $0) }
            }
            // If the log is empty, nothing is opened for which SQLite would create an index, so the folder stays as it is.
            let changes = try look(try openReaders(folder, isImmutable: folder.hasEmptyLog))
            let version = (changes.first?.version ?? Schema.changes.count + 1) - 1
            return SchemaPlan(version: version, changes: changes, bytes: folder.databaseBytes)
        }
    }

    /// Opens the database for reading. On a full or read-only disk SQLite cannot create the index of its log; if the log is
    /// empty, as after an orderly end, it needs none.
    private static func openToRead(_ folder: StateFolder) throws -> (DatabasePool, Schema.Content, Set<String>) {
        func look(_ readers: DatabasePool) throws -> (DatabasePool, Schema.Content, Set<String>) {
            let (content, keys) = try readers.read { database in
                let content = try Schema.content(of: database)
                return (content, content == .current ? try hostKeys(database) : [])
            }
            return (readers, content, keys)
        }
        do { return try look(try openReaders(folder)) } catch let error as DatabaseError {
            guard StoreErrors.isAboutTheIndex(error), folder.hasEmptyLog else { throw error }
            return try look(try openReaders(folder, isImmutable: true))
        }
    }

    /// Opens the store for writing, and creates what is missing. Blocks its thread until it is this process's turn.
    static func write(
        _ folder: StateFolder,
        _ keyFile: HostKeyFile,
        _ lock: StateLock,
        clock: any HostClock,
        committed: @escaping @Sendable (Duration) -> Void
    ) throws(PlugError) -> StoreContent {
        try lock.inTurn { () throws(PlugError) in
            // Otherwise an empty database would quietly take the place of a lost one.
            if !folder.hasDatabase, keyFile.showsThatThereWasAState || lock.mark != nil {
                throw StoreErrors.lost(folder)
            }
            try folder.makeDatabaseFile()
            return try translated { try openToWrite(folder, keyFile, lock, clock: clock, committed: committed) }
        }
    }

    private static func openToWrite(
        _ folder: StateFolder,
        _ keyFile: HostKeyFile,
        _ lock: StateLock,
        clock: any HostClock,
        committed: @escaping @Sendable (Duration) -> Void
    ) throws -> StoreContent {
        _ = SQLiteCalls.isSetUp
        let writer = try DatabaseQueue(path: folder.database, configuration: writerConfiguration)
        // A database that cannot be opened fully is left as it is: nothing is written before all checks have passed.
        let keys = try writer.read { database in
            try Schema.content(of: database) == .nothing ? [] : hostKeys(database)
        }
        let found: HostKey?
        let key: HostKey
        if keys.isEmpty {
            if keyFile.showsThatThereWasAState || lock.mark != nil { throw StoreErrors.lost(folder) }
            found = try keyFile.read()
            key = try found ?? keyFile.makeDraft(in: folder)
        } else {
            (key, found) = try knownKey(keyFile, of: keys, folder, mayFinish: true)
        }
        try writer.writeWithoutTransaction { try beginWriting($0) }
        switch try writer.read({ try Schema.content(of: $0) }) {
        case .current: break
        case .nothing: try writer.writeWithoutTransaction { try Schema.create(in: $0) }
        // Processes that have the old tables open must not find new ones.
        case .older: try lock.alone { try Schema.migrator.migrate(writer) }
        }
        if keys.isEmpty {
            try writer.write { database in
                let arguments: StatementArguments = [key.id, clock.now()]
                try database.execute(sql: "INSERT INTO host_key (id, created_at) VALUES (?, ?)", arguments: arguments)
            }
        }
        if found == nil { try keyFile.keepDraft(in: folder) }
        lock.note(LockMark(key: key.id))
        return StoreContent(
            folder,
            HostKeys(key, in: keyFile),
            writerDatabase: writer,
            lock: lock,
            committed: committed
        )
    }

    /// The key of a database with contents.
    ///
    /// - Parameter mayFinish: Whether to put a key in its place if a killed process did not get to it.
    /// - Returns: The key, and the one that is already in its place.
    static func knownKey(
        _ keyFile: HostKeyFile,
        of keys: Set<String>,
        _ folder: StateFolder,
        mayFinish: Bool
    ) throws(PlugError) -> (key: HostKey, found: HostKey?) {
        let found = try keyFile.read()
        if let found, keys.contains(found.id) { return (found, found) }
        if let next = keyFile.readNext(), keys.contains(next.id) {
            if mayFinish { try keyFile.keepNext(in: folder) }
            return (next, next)
        }
        // Another process may have put it in its place in the meantime.
        if let found = try keyFile.read(), keys.contains(found.id) { return (found, found) }
        if found != nil { throw keyFile.wrong(folder) }
        guard let draft = keyFile.readDraft(), keys.contains(draft.id) else { throw keyFile.missing(folder) }
        return (draft, nil)
    }

    /// Completes accepted writes and folds the log into the database; later writes are refused.
    func finishWriting() async { await writer?.close { Self.checkpoint($0) } }

    /// Folds the log into the database and empties it, unless a reader is using it. The caller has the turn.
    static func checkpoint(_ database: Database) {
        // An attempt is enough: what stays in the log is as durable, and the next checkpoint includes it.
        guard (try? database.execute(sql: "PRAGMA busy_timeout = 0")) != nil else { return }
        _ = try? database.checkpoint(.truncate)
        try? database.execute(sql: "PRAGMA busy_timeout = \(busyMilliseconds)")
    }

    /// Folds the log into the database and empties it.
    ///
    /// - Returns: Whether it is empty now; `false` if a reader is using it.
    func emptyLog() async -> Bool {
        let isEmpty = Mutex(false)
        await writer?.performAlone { database in
            // The first column of the answer is 1 if a reader was in the way.
            guard (try? database.execute(sql: "PRAGMA busy_timeout = 0")) != nil else { return }
            let busy = try? Int.fetchOne(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            try? database.execute(sql: "PRAGMA busy_timeout = \(Self.busyMilliseconds)")
            isEmpty.withLock { $0 = busy == 0 }
        }
        return isEmpty.withLock { $0 }
    }

    /// Closes all connections, the writer last. A second call has no effect.
    func closeAtOnce() {
        // If closing fails, the connection lives as long as its owner; there is nothing left to do here.
        readers.close()
        // The very last connection folds the log into the database. If another process does not end its turn, this one is not the
        // last.
        let hasTurn = (try? lock?.takeTurn()) != nil
        try? writerDatabase?.close()
        if hasTurn { lock?.endTurn() }
    }

    // MARK: - Connections to SQLite

    private static let busyMilliseconds = 5_000

    static var writerConfiguration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(Double(busyMilliseconds) / 1_000)
        configuration.label = "plughost.store.writer"
        return configuration
    }

    /// The writer's settings. Full synchronisation: a commit that has returned survives a power failure.
    static func beginWriting(_ database: Database) throws {
        guard try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") == "wal" else {
            throw PlugError(
                .storeFailed,
                exit: .configuration,
                "SQLite cannot keep a write-ahead log in the state folder",
                advice: "choose a folder on a local disk with --state DIR"
            )
        }
        try database.execute(
            sql: """
                PRAGMA synchronous = FULL;
                PRAGMA secure_delete = FAST;
                PRAGMA temp_store = MEMORY;
                PRAGMA journal_size_limit = 16777216;
                """
        )
    }

    static func openReaders(_ folder: StateFolder, isImmutable: Bool = false) throws -> DatabasePool {
        _ = SQLiteCalls.isSetUp
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(Double(busyMilliseconds) / 1_000)
        configuration.maximumReaderCount = 4
        configuration.label = "plughost.store.reader"
        // SQLite's URI: the file does not change, so neither locks nor an index are needed.
        let path = isImmutable ? "file:\(folder.databaseInURI)?immutable=1" : folder.database
        return try DatabasePool(path: path, configuration: configuration)
    }

    static func hostKeys(_ database: Database) throws -> Set<String> {
        try String.fetchSet(database, sql: "SELECT id FROM host_key")
    }

    static func translated<Value>(_ work: () throws -> Value) throws(PlugError) -> Value {
        do {
            return try work()
        } catch {
            throw StoreErrors.plugError(error)
        }
    }
}
