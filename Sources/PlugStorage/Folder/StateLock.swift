internal import Glibc
internal import PlugCore
internal import Synchronization

/// The locks of a state folder. All are on one file, `lock`, and end with the process, however it ends.
///
/// - **In use.** Every process that writes holds a shared flock(2) on the file; maintenance, which changes what all of them rely
///   on (a migration, another host key), holds it exclusively. Versions before 0.2 held it exclusively for any write, so that
///   such a process and a newer one still exclude each other.
/// - **The turn.** Byte 1 is held around each transaction that writes, each checkpoint, and the opening and closing of any SQLite
///   connection that may do either. This is why SQLite's WAL-reset bug (before 3.51.3) cannot occur: it needs two connections
///   that write or checkpoint at the same instant. All connections that can do either are opened by `StoreContent.write`, one per
///   process, and used by `WriteQueue` and `StoreContent`, only inside a turn; a turn belongs to one process; and within a
///   process the one connection's queue is serial. SQLite checkpoints automatically only inside a commit and when the last
///   connection closes, both inside a turn. Readers are opened read-only: they cannot take the lock on the database that a
///   checkpoint on closing needs.
/// - **The line.** Byte 0 is held while waiting at the head of the line for the turn. A process that gives the turn back and
///   wants it again queues behind the head, so that a busy process does not starve the others.
/// - **The host.** Byte 2 is held by the process that runs connections when they are due.
/// - **The key.** Byte 3 is held by the process that changes the state's host key.
/// - **Leases.** Byte 1024 + n is held while the connection with row n is being run or changed. `leased` keeps a process's own
///   tasks apart, as open-file locks do not exclude tasks of one process.
/// - **Grants.** Byte 2^40 + n is held, likewise, while what a source granted to that connection is being renewed.
///
/// The file remains when nothing is locked: removing it would let two processes lock two files of one name.
final class StateLock: Sendable {
    /// Who else may have the folder open for writing.
    enum Use {
        /// Other writers too.
        case shared
        /// No one else.
        case alone
    }

    private static let line: Int64 = 0
    private static let turn: Int64 = 1
    private static let host: Int64 = 2
    private static let keyChange: Int64 = 3
    private static let firstLease: Int64 = 1_024
    private static let firstGrant: Int64 = 1 << 40
    /// How long to wait for a turn: a group of writes takes milliseconds, on a bad disk a second.
    static let patience = Duration.seconds(60)

    private let file: FileDescriptor
    private let folder: StateFolder
    /// The bytes of leases and grants held by tasks of this process.
    private let leased = Mutex<Set<Int64>>([])

    /// Joins the folder's users, or takes it exclusively.
    ///
    /// - Throws: `state-locked` (75) if others' use excludes this one; `store-failed`.
    init(_ folder: StateFolder, _ use: Use, clock: any HostClock) throws(PlugError) {
        guard let file = FileDescriptor(folder.lock, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600) else {
            throw Self.failed(folder)
        }
        // flock(2) with LOCK_NB never blocks; EWOULDBLOCK means that another use excludes this one.
        guard flock(file.number, (use == .alone ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0 else {
            if errno == EWOULDBLOCK || errno == EINTR { throw Self.inUse(folder) }
            throw Self.failed(folder)
        }
        // Only for display: the lock holds without it.
        mark = LockMark.read(folder)
        if use == .alone {
            let holder = LockHolder.current(at: clock.now()).text
            _ = file.replaceContent(with: Array(((mark?.text ?? "") + holder).utf8))
        }
        self.file = file
        self.folder = folder
        isAlone = use == .alone
    }

    /// What the lock file says about the state that was created in the folder.
    let mark: LockMark?
    /// The database as it was opened.
    private let database = Mutex<FileIdentity?>(nil)

    /// Records that a state now exists, which must not be lost unnoticed, and remembers its database file.
    func note(_ mark: LockMark) {
        database.withLock { $0 = FileIdentity(of: folder.database) }
        // If it cannot be written, only this safeguard is missing.
        if self.mark != mark, !isAlone { _ = file.replaceContent(with: Array(mark.text.utf8)) }
    }

    /// Records another key.
    func remark(_ mark: LockMark) { _ = file.replaceContent(with: Array(mark.text.utf8)) }

    /// Checks that the folder is still the one that was opened: anything written to unlinked files is lost.
    private func checkFolder() throws(PlugError) {
        let isThere = FileIdentity(of: folder.lock) == file.status().map { FileIdentity($0) }
        let isSame = database.withLock { $0 == nil || $0 == FileIdentity(of: folder.database) }
        guard isThere, isSame else { throw StoreErrors.removed(folder) }
    }

    private let isAlone: Bool

    /// Releases everything, leases included: the store is closed. A second call has no effect.
    func release() {
        // A process that has gone should not be named.
        if isAlone { _ = file.replaceContent(with: Array((LockMark.read(folder)?.text ?? "").utf8)) }
        leased.withLock { $0 = [] }
        file.unlockAllBytes()
        flock(file.number, LOCK_UN)
    }

    /// Excludes all others during some work, such as a migration. The caller has the turn, so that no one can come in while the
    /// lock is converted.
    ///
    /// - Throws: `state-locked` (75) if others use the folder.
    func alone<Value>(_ work: () throws -> Value) throws -> Value {
        if isAlone { return try work() }
        // flock(2) gives the old lock up before it takes the new one, and does not restore it on failure.
        let isTaken = flock(file.number, LOCK_EX | LOCK_NB) == 0
        defer { flock(file.number, LOCK_SH | LOCK_NB) }
        guard isTaken else { throw Self.inUse(folder) }
        return try work()
    }

    // MARK: - The turn

    /// Performs some work while no other process writes to the database or checkpoints it. Blocks its thread.
    ///
    /// - Throws: `state-locked` (75) if another process does not end its turn, and the errors of `work`.
    func inTurn<Value>(_ work: () throws(PlugError) -> Value) throws(PlugError) -> Value {
        try takeTurn()
        defer { endTurn() }
        return try work()
    }

    /// Waits for the turn. Blocks its thread, which must be allowed to block.
    ///
    /// - Throws: `state-locked` (75) if another process does not end its turn, `store-failed`.
    func takeTurn(within patience: Duration = StateLock.patience) throws(PlugError) {
        // The machine's own clock, as the wait is for other processes on this machine.
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
            // usleep(3) accepts less than a second; a signal merely ends it early.
            usleep(pause)
            pause = min(pause * 2, 1_000)
        }
    }

    /// Whether another process is at the head of the line, for tests.
    var isLineTaken: Bool { file.isLockedElsewhere(byte: Self.line) }

    // MARK: - Leases

    /// Takes the lease on a connection's row, without waiting.
    ///
    /// - Returns: Whether it was free.
    func lease(_ row: Int64) throws(PlugError) -> Bool { try take(Self.firstLease + row) }

    /// Whether a task of this process, or another process, currently holds the lease on a row.
    func isLeased(_ row: Int64) -> Bool {
        let byte = Self.firstLease + row
        return leased.withLock { $0.contains(byte) } || file.isLockedElsewhere(byte: byte)
    }

    /// The same, for a process that holds no lock on the folder.
    static func isLeased(_ row: Int64, in folder: StateFolder) -> Bool {
        FileDescriptor(folder.lock, O_RDONLY | O_NOFOLLOW)?.isLockedElsewhere(byte: firstLease + row) ?? false
    }

    /// Releases a lease.
    func endLease(_ row: Int64) { giveBack(Self.firstLease + row) }

    /// Takes the right to renew the grants of a connection's row, without waiting.
    ///
    /// - Returns: Whether it was free.
    func lockGrant(_ row: Int64) throws(PlugError) -> Bool { try take(Self.firstGrant + row) }

    /// Releases that right.
    func unlockGrant(_ row: Int64) { giveBack(Self.firstGrant + row) }

    /// Takes the right to run connections when they are due, without waiting.
    ///
    /// - Returns: Whether it was free.
    func lockHost() throws(PlugError) -> Bool { try take(Self.host) }

    /// Releases that right.
    func unlockHost() { giveBack(Self.host) }

    /// Takes the right to change the host's key, without waiting.
    ///
    /// - Returns: Whether it was free.
    func lockKeyChange() throws(PlugError) -> Bool { try take(Self.keyChange) }

    /// Releases that right.
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
            // Both together: otherwise a lock that another task of this process takes in between would be lost.
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
