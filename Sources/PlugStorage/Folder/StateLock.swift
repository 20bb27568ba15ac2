internal import Glibc
internal import PlugCore
internal import Synchronization

/// The locks of a state folder. They are all on one file, `lock`, and end with the process, however it ends.
///
/// - **In use.** Every process that writes holds flock(2) on the file, shared; maintenance, which changes what all of
///   them rely on (a migration, another host key), holds it exclusively. Versions before 0.2 took it exclusively to
///   write at all, so that such a process and a newer one still exclude each other.
/// - **The turn.** Byte 1 is held around each transaction that writes, each checkpoint, and the opening and closing of a
///   connection to SQLite that may do either. Proof that SQLite's WAL-reset bug (before 3.51.3) stays out of reach: it
///   needs two connections of which one writes and one checkpoints, or both, at the same instant. All connections that
///   can do either are opened by `StoreContent.write`, one for each process, and used by `WriteQueue` and
///   `StoreContent`, only inside a turn; a turn is one process' alone; and within a process the one connection's queue is
///   serial. SQLite checkpoints by itself only inside a commit and when the last connection closes, both inside a turn.
///   Readers are opened read-only: they cannot take the lock on the database that a checkpoint at closing needs.
/// - **The line.** Byte 0 is held while waiting at the head for the turn. Whoever gives the turn back and wants it again
///   stands behind the head, so that a busy process does not starve the others.
/// - **The host.** Byte 2 is held by the process that runs connections when they are due.
/// - **The key.** Byte 3 is held by the process that seals the state with another host key.
/// - **Leases.** Byte 1024 + n is held while somebody runs or changes the connection with row n. What one process holds
///   for several of its tasks is told apart by `leased`, as open-file locks do not exclude tasks of one process.
/// - **Grants.** Byte 2^40 + n is held, in the same way, while somebody renews what a source granted to that connection.
///
/// The file stays when nobody holds anything: removing it would let two processes lock two files of one name.
final class StateLock: Sendable {
    /// Who may have the folder open to write at the same time.
    enum Use {
        /// Others that write too.
        case shared
        /// Nobody.
        case alone
    }

    private static let line: Int64 = 0
    private static let turn: Int64 = 1
    private static let host: Int64 = 2
    private static let keyChange: Int64 = 3
    private static let firstLease: Int64 = 1_024
    private static let firstGrant: Int64 = 1 << 40
    /// How long a turn is waited for: a group of writes takes milliseconds, on a bad disk a second.
    static let patience = Duration.seconds(60)

    private let file: FileDescriptor
    private let folder: StateFolder
    /// The bytes of leases and grants that a task of this process has.
    private let leased = Mutex<Set<Int64>>([])

    /// Joins those that use the folder, or takes it for itself.
    ///
    /// - Throws: `state-locked` (75) if others' use excludes this one; `store-failed`.
    init(_ folder: StateFolder, _ use: Use, clock: any HostClock) throws(PlugError) {
        guard let file = FileDescriptor(folder.lock, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600) else {
            throw Self.failed(folder)
        }
        // flock(2) with LOCK_NB never blocks; EWOULDBLOCK says that somebody else's use excludes this one.
        guard flock(file.number, (use == .alone ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0 else {
            if errno == EWOULDBLOCK || errno == EINTR { throw Self.inUse(folder) }
            throw Self.failed(folder)
        }
        // Only for people: the lock holds without it.
        mark = LockMark.read(folder)
        if use == .alone {
            let holder = LockHolder.current(at: clock.now()).text
            _ = file.replaceContent(with: Array(((mark?.text ?? "") + holder).utf8))
        }
        self.file = file
        self.folder = folder
        isAlone = use == .alone
    }

    /// What the file says of the state that was made in the folder.
    let mark: LockMark?
    /// The database as it was opened.
    private let database = Mutex<FileIdentity?>(nil)

    /// Writes down that there is a state now, which is not to be lost unnoticed, and remembers the file of its database.
    func note(_ mark: LockMark) {
        database.withLock { $0 = FileIdentity(of: folder.database) }
        // Where it cannot be written only this help is missing.
        if self.mark != mark, !isAlone { _ = file.replaceContent(with: Array(mark.text.utf8)) }
    }

    /// Writes down another key.
    func remark(_ mark: LockMark) { _ = file.replaceContent(with: Array(mark.text.utf8)) }

    /// Checks that the folder still is the one that was opened: what is written into files without a name is lost.
    private func checkFolder() throws(PlugError) {
        let isThere = FileIdentity(of: folder.lock) == file.status().map { FileIdentity($0) }
        let isSame = database.withLock { $0 == nil || $0 == FileIdentity(of: folder.database) }
        guard isThere, isSame else { throw StoreErrors.removed(folder) }
    }

    private let isAlone: Bool

    /// Gives everything back, leases too: the store is closed. A second call changes nothing.
    func release() {
        // Nobody is to be named who has gone.
        if isAlone { _ = file.replaceContent(with: Array((LockMark.read(folder)?.text ?? "").utf8)) }
        leased.withLock { $0 = [] }
        file.unlockAllBytes()
        flock(file.number, LOCK_UN)
    }

    /// Keeps all others out for some work, such as a migration. The caller has the turn, so that nobody can come in
    /// while the lock changes hands with itself.
    ///
    /// - Throws: `state-locked` (75) if others use the folder.
    func alone<Value>(_ work: () throws -> Value) throws -> Value {
        if isAlone { return try work() }
        // flock(2) gives the old lock up before it takes the new one, and does not get it back by itself.
        let isTaken = flock(file.number, LOCK_EX | LOCK_NB) == 0
        defer { flock(file.number, LOCK_SH | LOCK_NB) }
        guard isTaken else { throw Self.inUse(folder) }
        return try work()
    }

    // MARK: - The turn

    /// Does some work while no other process writes to the database or checkpoints it. Blocks its thread.
    ///
    /// - Throws: `state-locked` (75) if another process does not end its turn, what `work` throws.
    func inTurn<Value>(_ work: () throws(PlugError) -> Value) throws(PlugError) -> Value {
        try takeTurn()
        defer { endTurn() }
        return try work()
    }

    /// Waits for the turn. Blocks its thread, which must be one that may wait.
    ///
    /// - Throws: `state-locked` (75) if another process does not end its turn, `store-failed`.
    func takeTurn(within patience: Duration = StateLock.patience) throws(PlugError) {
        // The machine's own clock, as it is others on this machine that are waited for.
        let end = ContinuousClock.now + patience
        try wait(for: Self.line, until: end)
        defer { file.unlock(byte: Self.line) }
        try wait(for: Self.turn, until: end)
        do { try checkFolder() } catch {
            endTurn()
            throw error
        }
    }

    /// Gives the turn back.
    func endTurn() { file.unlock(byte: Self.turn) }

    private func wait(for byte: Int64, until end: ContinuousClock.Instant) throws(PlugError) {
        var pause: UInt32 = 50
        while true {
            switch file.lock(byte: byte) {
            case .taken: return
            case .failed: throw Self.failed(folder)
            case .held: break
            }
            guard ContinuousClock.now < end else { throw Self.stuck(folder) }
            // usleep(3) takes less than a second; a signal only ends it early.
            usleep(pause)
            pause = min(pause * 2, 1_000)
        }
    }

    /// Whether another process stands at the head of the line.
    var isLineTaken: Bool { file.isLockedElsewhere(byte: Self.line) }

    // MARK: - Leases

    /// Takes the lease of a connection's row, without waiting.
    ///
    /// - Returns: Whether it was free.
    func lease(_ row: Int64) throws(PlugError) -> Bool { try take(Self.firstLease + row) }

    /// Whether a task of this process, or another process, has the lease of a row just now.
    func isLeased(_ row: Int64) -> Bool {
        let byte = Self.firstLease + row
        return leased.withLock { $0.contains(byte) } || file.isLockedElsewhere(byte: byte)
    }

    /// The same, for a process that holds no lock of the folder.
    static func isLeased(_ row: Int64, in folder: StateFolder) -> Bool {
        FileDescriptor(folder.lock, O_RDONLY | O_NOFOLLOW)?.isLockedElsewhere(byte: firstLease + row) ?? false
    }

    /// Gives a lease back.
    func endLease(_ row: Int64) { giveBack(Self.firstLease + row) }

    /// Takes the right to renew the grants of a connection's row, without waiting.
    ///
    /// - Returns: Whether it was free.
    func lockGrant(_ row: Int64) throws(PlugError) -> Bool { try take(Self.firstGrant + row) }

    /// Gives that right back.
    func unlockGrant(_ row: Int64) { giveBack(Self.firstGrant + row) }

    /// Takes the right to run connections when they are due, without waiting.
    ///
    /// - Returns: Whether it was free.
    func lockHost() throws(PlugError) -> Bool { try take(Self.host) }

    /// Gives that right back.
    func unlockHost() { giveBack(Self.host) }

    /// Takes the right to change the host's key, without waiting.
    ///
    /// - Returns: Whether it was free.
    func lockKeyChange() throws(PlugError) -> Bool { try take(Self.keyChange) }

    /// Gives that right back.
    func unlockKeyChange() { giveBack(Self.keyChange) }

    private func take(_ byte: Int64) throws(PlugError) -> Bool {
        let outcome = leased.withLock { leased -> FileDescriptor.ByteLock in
            if leased.contains(byte) { return .held }
            let outcome = file.lock(byte: byte)
            if outcome == .taken { leased.insert(byte) }
            return outcome
        }
        if outcome == .failed { throw Self.failed(folder) }
        return outcome == .taken
    }

    private func giveBack(_ byte: Int64) {
        leased.withLock { leased in
            // Both at once: a lock that another task of this process takes in between would be lost.
            file.unlock(byte: byte)
            leased.remove(byte)
        }
    }

    // MARK: - Errors

    private static func inUse(_ folder: StateFolder) -> PlugError {
        let holder = LockHolder(parsing: folder.lockContent)
        return PlugError(
            .stateLocked,
            "the state folder \(folder.path) is in use by \(holder?.description ?? "another process")",
            advice: "wait for it with --wait 60s, or use another folder with --state DIR"
        )
    }

    private static func stuck(_ folder: StateFolder) -> PlugError {
        PlugError(
            .stateLocked,
            "another process has been writing to the state folder \(folder.path) for \(patience.components.seconds) s",
            advice:
                "check whether a plughost process is suspended (Ctrl-Z, SIGSTOP) or its disk hangs; nothing is lost"
        )
    }

    private static func failed(_ folder: StateFolder) -> PlugError {
        let hasNoLocks = [ENOLCK, EINVAL, EOPNOTSUPP, ENOSYS].contains(errno)
        return PlugError(
            .storeFailed,
            exit: hasNoLocks || !lastSystemErrorPasses() ? .configuration : .tryLater,
            hasNoLocks
                ? "the file system of \(folder.path) does not support locks: \(lastSystemError())"
                : "\(folder.lock) cannot be locked: \(lastSystemError())",
            advice: hasNoLocks
                ? "choose a folder on a local disk with --state DIR"
                : lastSystemErrorAdvice()
        )
    }
}
