internal import GRDB
internal import Glibc
package import PlugCore

/// The embedded store: one folder with `plughost.db` (SQLite), the host's `key` and a `lock`.
///
/// Several processes may write, one at a time, each with one SQLite connection; only runs of the same connection exclude each
/// other. `StateLock` explains how, and why SQLite's WAL-reset bug cannot occur in any version.
package final class SQLiteStore: PlugStore {
    /// The environment variable in which systemd passes the folder of a service's credentials.
    package static var credentialsDirectory: String? {
        // getenv(3) returns a string owned by the environment; it is copied at once.
        getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }
    }

    /// The version of SQLite.
    package static var libraryVersion: String {
        (try? DatabaseQueue().read { try String.fetchOne($0, sql: "SELECT sqlite_version()") }) ?? "unknown"
    }

    /// Where the host's key is kept; `nil` if there is no state.
    package var keyFile: String? { content?.keys.file.absolutePath }

    /// The state folder, for a writer.
    package let scratchFolder: String?
    let clock: any HostClock
    /// `nil` if a reader found nothing: it answers like an empty store.
    let content: StoreContent?
    /// Where it is.
    let folder: StateFolder
    /// A writer's locks; `nil` for a reader.
    let lock: StateLock?
    /// How long to wait for a lease.
    let patience: Duration
    let openRuns = OpenRuns()

    /// Opens the store in a folder.
    ///
    /// A writer creates the folder (0700), the database, the key and the lock (0600) if they are missing. A reader changes
    /// nothing, works alongside a writer, and answers like an empty store if there is none yet.
    ///
    /// - Parameters:
    ///   - folder: The state folder.
    ///   - access: Whether to write, and how long to wait for others.
    ///   - keyFile: The host's key, from `PLUGHOST_KEY_FILE`. Otherwise `plughost-key` in `credentials`, then `key` in the
    ///     folder, which is created at first use.
    ///   - credentials: A folder of credentials.
    ///   - clock: The time, for waiting and for timestamps in rows.
    ///   - committed: Is passed the time each transaction took to reach the disk, on a thread that does nothing else.
    /// - Throws: `state-locked` (75) if others' use of the folder excludes this one; `key-missing`, `key-wrong`, `key-exposed`,
    ///   `key-malformed`, `key-unreadable`, `state-newer`, `state-older`, `state-foreign`, `state-damaged`, `state-lost` (78);
    ///   `store-failed` (75).
    package static func open(
        folder: String,
        access: StoreAccess,
        keyFile: String? = nil,
        credentials: String? = SQLiteStore.credentialsDirectory,
        clock: any HostClock = SystemClock(),
        committed: @escaping @Sendable (Duration) -> Void = { _ in }
    ) async throws(PlugError) -> SQLiteStore {
        let folder = StateFolder(folder)
        let keyFile = HostKeyFile(named: keyFile, credentials: credentials, folder: folder)
        switch access {
        case .read:
            let content = try await onAThreadOfItsOwn { () throws(PlugError) in
                try StoreContent.read(folder, keyFile)
            }
            return SQLiteStore(content: content, folder, lock: nil, patience: .zero, scratchFolder: nil, clock: clock)
        case .write(let wait):
            try folder.make()
            return try await Patience(wait, clock).untilFree { () async throws(PlugError) in
                let lock = try StateLock(folder, .shared, clock: clock)
                let content = try await onAThreadOfItsOwn { () throws(PlugError) in
                    try StoreContent.write(folder, keyFile, lock, clock: clock, committed: committed)
                }
                return SQLiteStore(
                    content: content,
                    folder,
                    lock: lock,
                    patience: wait,
                    scratchFolder: folder.path,
                    clock: clock
                )
            }
        }
    }

    /// What the next writer would do to a state of an earlier version; `nil` if there is no state. Changes nothing, and may
    /// run alongside others.
    ///
    /// - Throws: `PlugError` `state-foreign`, `state-newer` (78), `store-failed`.
    package static func upgradePlan(of folder: String) async throws(PlugError) -> SchemaPlan? {
        let folder = StateFolder(folder)
        return try await onAThreadOfItsOwn { () throws(PlugError) in try StoreContent.plan(folder) }
    }

    private init(
        content: StoreContent?,
        _ folder: StateFolder,
        lock: StateLock?,
        patience: Duration,
        scratchFolder: String?,
        clock: any HostClock
    ) {
        self.content = content
        self.folder = folder
        self.scratchFolder = scratchFolder
        self.lock = lock
        self.patience = patience
        self.clock = clock
    }

    /// Completes the writes under way, folds the log into the database and releases the lock. Later calls throw.
    package func close() async {
        await content?.finishWriting()
        await onAThreadOfItsOwn { self.content?.closeAtOnce() }
        lock?.release()
    }

    /// Without `close()` the database still closes before the lock is released; committed data is safe either way.
    deinit {
        content?.closeAtOnce()
        lock?.release()
    }

    // MARK: - For the extensions

    /// A writer's locks.
    func locks() throws -> StateLock {
        guard let lock else { throw StoreErrors.readOnly }
        return lock
    }

    /// Performs some work in a write transaction.
    func write<Value: Sendable>(
        _ work: @escaping @Sendable (Database, HostKeys) throws -> Value
    ) async throws -> Value {
        guard let content, let writer = content.writer else { throw StoreErrors.readOnly }
        let keys = content.keys
        return try await writer.perform { try work($0, keys) }
    }

    /// Reads through a connection that is open: when a run begins, that is only the one that writes.
    func readThroughOpen<Value: Sendable>(
        _ empty: Value,
        _ work: @escaping @Sendable (Database, HostKeys) throws -> Value
    ) async throws -> Value {
        let hasReaders = try content?.readers.openPool() != nil
        return content?.writer == nil || hasReaders ? try await read(empty, work) : try await write(work)
    }

    /// Reads the database as of a single moment; `empty` if there is none.
    func read<Value: Sendable>(
        _ empty: Value,
        _ work: @Sendable (Database, HostKeys) throws -> Value
    ) async throws -> Value {
        guard let content else { return empty }
        do {
            return try await content.readers.pool().read { try work($0, content.keys) }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
            // GRDB interrupts the reader of a cancelled task; nothing else does.
            throw CancellationError()
        } catch {
            throw StoreErrors.translate(error)
        }
    }
}
