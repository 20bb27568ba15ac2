internal import GRDB
package import PlugCore

/// What a sandbox remembers: a SQLite file, a signing key, two lock files.
///
/// Several processes may have it open: `plughost sandbox token` works on the folder itself, whether a sandbox runs or not. Every
/// writer holds `writer.lock` during its transaction, checkpoint included, so that two connections never write or checkpoint at
/// once.
package final class SandboxStore: Sendable {
    let folder: SandboxFolder
    let queue: DatabaseQueue
    let key: SigningKey
    let passwords: PasswordHash
    private let writerLock: FileLock

    init(folder: SandboxFolder, passwordRounds: Int) throws(PlugError) {
        self.folder = folder
        passwords = PasswordHash(rounds: passwordRounds)
        writerLock = try FileLock(folder, "writer.lock")
        let lock = try FileLock(folder, "writer.lock")
        do {
            (queue, key) = try lock.withLock { () throws -> (DatabaseQueue, SigningKey) in
                try folder.touch("sandbox.db")
                return (try Schema.open(folder.file("sandbox.db")), try SigningKey(in: folder))
            }
        } catch {
            throw Self.failure(error, folder)
        }
    }

    /// Whether a folder holds a sandbox's state.
    package static func exists(in folder: String) -> Bool {
        Files.exists(folder.hasSuffix("/") ? "\(folder)sandbox.db" : "\(folder)/sandbox.db")
    }

    /// Opens a state folder; creates it, its database and its key if they are missing.
    ///
    /// - Throws: `PlugError` `sandbox-state` (configuration) if the folder cannot be used.
    package static func open(stateFolder: String) async throws(PlugError) -> SandboxStore {
        try await open(stateFolder: stateFolder, passwordRounds: SandboxOptions.defaultPasswordRounds)
    }

    static func open(stateFolder: String, passwordRounds: Int) async throws(PlugError) -> SandboxStore {
        // Opening waits for a lock and reads the disk.
        try await onAThreadOfItsOwn { () throws(PlugError) in
            try SandboxStore(folder: try SandboxFolder(stateFolder), passwordRounds: passwordRounds)
        }
    }

    /// One transaction that reads.
    func read<Value: Sendable>(_ body: @Sendable @escaping (Database) throws -> Value) async throws -> Value {
        try await queue.read(body)
    }

    /// One transaction that writes, exclusively across all processes.
    func write<Value: Sendable>(_ body: @Sendable @escaping (Database) throws -> Value) async throws -> Value {
        try await queue.writeWithoutTransaction { database in
            try self.writerLock.withLock {
                var value: Value?
                try database.inTransaction(.immediate) {
                    value = try body(database)
                    return .commit
                }
                guard let value else { throw DatabaseError(message: "a transaction ended without a value") }
                return value
            }
        }
    }

    static func failure(_ error: any Error, _ folder: SandboxFolder) -> PlugError {
        if let error = error as? PlugError { return error }
        let reason = (error as? DatabaseError)?.message ?? "\(type(of: error))"
        return PlugError(
            .sandboxState,
            "cannot use the sandbox's state in '\(folder.path)': \(reason)",
            advice: "choose another folder with --state, or remove this one to start again"
        )
    }
}

/// The tables.
enum Schema {
    static func open(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.busyMode = .timeout(10)
        configuration.label = "sandbox"
        configuration.prepareDatabase { database in
            // A process that dies loses nothing; a power failure may lose the last moments, never the file.
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
            // Hashes are random, so that insertions touch pages all over their index: it stays in memory (64 MB at most), and the
            // log may collect 32 MB before its pages are checkpointed, so that most are written once instead of often.
            try database.execute(sql: "PRAGMA cache_size = -65536; PRAGMA wal_autocheckpoint = 8000")
        }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { try $0.execute(sql: first) }
        migrator.registerMigration("2") { try $0.execute(sql: second) }
        migrator.registerMigration("3") { try $0.execute(sql: third) }
        try migrator.migrate(queue)
        return queue
    }

    /// `hash` is unique over the whole PDA, as in the reference server's schema; `date` is in milliseconds.
    private static let first = """
        CREATE TABLE endpoints (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE) STRICT;
        CREATE TABLE records (
            sequence INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            endpoint INTEGER NOT NULL REFERENCES endpoints (id),
            data TEXT NOT NULL,
            hash BLOB NOT NULL UNIQUE,
            date INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX recordsInOrder ON records (endpoint, date, sequence);
        CREATE TABLE applications (
            id TEXT PRIMARY KEY,
            definition TEXT NOT NULL,
            setUpVersion TEXT,
            isEnabled INTEGER NOT NULL DEFAULT 0
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
        """

    /// An application's state is no longer stored beside its definition, which may come from a directory.
    private static let second = """
        CREATE TABLE applicationStates (
            id TEXT PRIMARY KEY,
            version TEXT NOT NULL,
            isEnabled INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        INSERT INTO applicationStates
            SELECT id, setUpVersion, isEnabled FROM applications WHERE setUpVersion IS NOT NULL;
        ALTER TABLE applications DROP COLUMN setUpVersion;
        ALTER TABLE applications DROP COLUMN isEnabled;
        """

    /// Users (the owner is number 1), groups of linked records, bundles, combinators and data debits. Times are in milliseconds,
    /// but `period` is in seconds, as the reference server stores it.
    private static let third = """
        CREATE TABLE users (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL UNIQUE,
            displayName TEXT NOT NULL,
            subject TEXT NOT NULL UNIQUE,
            salt BLOB NOT NULL,
            hash BLOB NOT NULL,
            roles TEXT NOT NULL,
            isEnabled INTEGER NOT NULL
        ) STRICT;
        INSERT INTO users
            SELECT 1, value, coalesce((SELECT value FROM facts WHERE name = 'owner.name'), 'owner'), 'Owner',
                (SELECT value FROM facts WHERE name = 'owner.subject'), x'', x'', '[{"role":"owner"}]', 1
            FROM facts WHERE name = 'owner.id';
        DELETE FROM facts WHERE name LIKE 'owner.%';
        ALTER TABLE records ADD COLUMN owner INTEGER NOT NULL DEFAULT 1;
        CREATE TABLE recordGroups (
            number INTEGER NOT NULL,
            record INTEGER NOT NULL REFERENCES records (sequence) ON DELETE CASCADE,
            PRIMARY KEY (record, number)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX recordGroupsByNumber ON recordGroups (number, record);
        CREATE TABLE bundles (name TEXT PRIMARY KEY, properties TEXT NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE combinators (name TEXT PRIMARY KEY, queries TEXT NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE dataDebits (
            number INTEGER PRIMARY KEY,
            key TEXT NOT NULL UNIQUE,
            created INTEGER NOT NULL,
            clientName TEXT NOT NULL,
            clientURL TEXT NOT NULL,
            clientLogoURL TEXT NOT NULL,
            applicationID TEXT,
            description TEXT
        ) STRICT;
        CREATE TABLE dataDebitPermissions (
            number INTEGER PRIMARY KEY,
            debit INTEGER NOT NULL REFERENCES dataDebits (number),
            created INTEGER NOT NULL,
            purpose TEXT NOT NULL,
            start INTEGER NOT NULL,
            period INTEGER NOT NULL,
            cancelsAtPeriodEnd INTEGER NOT NULL,
            canceled INTEGER,
            termsURL TEXT NOT NULL,
            conditions TEXT REFERENCES bundles (name),
            bundle TEXT NOT NULL REFERENCES bundles (name),
            accepted INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX dataDebitPermissionsByDebit ON dataDebitPermissions (debit, number);
        CREATE TABLE resets (
            token TEXT PRIMARY KEY,
            email TEXT NOT NULL,
            made INTEGER NOT NULL,
            expires INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}
