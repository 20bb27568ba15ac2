internal import GRDB
internal import Synchronization

/// Writes from many tasks, in groups: what arrives while one transaction waits for the disk shares the next one.
///
/// Each write succeeds or fails for itself, and its task continues only after the disk has it. A task that is cancelled still
/// gets its write done: what follows from a sent batch is never forgotten.
///
/// Hardly any write fails. Where one of a group does, all of the group is undone and done again, each with a savepoint: a
/// savepoint copies every page that is written behind it, which is more than the writing itself.
final class WriteQueue: Sendable {
    /// How many writes share a transaction at most, so that the first does not wait for too many others.
    static let groupLimit = 256

    private struct Job: Sendable {
        var work: @Sendable (Database) throws -> Void
        var finish: @Sendable ((any Error)?) -> Void
    }

    private struct Inbox {
        var jobs: [Job] = []
        var isClosed = false
        /// Why nothing is written any more.
        var failure: (any Error)?
    }

    private let database: DatabaseQueue
    private let lock: StateLock?
    private let committed: @Sendable (Duration) -> Void
    private let inbox = Mutex(Inbox())
    private let groups = Atomic<Int>(0)

    /// - Parameters:
    ///   - lock: Gives the turns of several processes; `nil` where there are no others.
    ///   - committed: Told, on the writer's thread, how long each transaction took until it was on the disk.
    init(
        _ database: DatabaseQueue,
        _ lock: StateLock? = nil,
        committed: @escaping @Sendable (Duration) -> Void = { _ in }
    ) {
        self.database = database
        self.lock = lock
        self.committed = committed
    }

    /// How many transactions there were, for the tests of grouping.
    var groupCount: Int { groups.load(ordering: .relaxed) }

    /// How many writes wait for the next transaction.
    var waitingCount: Int { inbox.withLock { $0.jobs.count } }

    /// Does some work inside a transaction and answers when it is on the disk.
    ///
    /// - Parameter work: Runs on the writer's own thread, a second time where its group's transaction failed, or another write of
    ///   its group.
    func perform<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        let outcome = Outcome<Value>()
        do {
            return try await withCheckedThrowingContinuation { continuation in
                submit(
                    Job(
                        work: { outcome.set(try work($0)) },
                        finish: { error in continuation.resume(with: outcome.result(error)) }
                    )
                )
            }
        } catch {
            throw StoreErrors.translate(error)
        }
    }

    /// Does what has to stand outside of any transaction, such as a checkpoint; nothing once the queue is closed, or where
    /// another process does not end its turn.
    func performAlone(_ work: @escaping @Sendable (Database) -> Void) async {
        await perform(alone: work, closing: false)
    }

    /// Writes what was accepted, then does some last work. What comes from now on is refused.
    func close(finally work: @escaping @Sendable (Database) -> Void) async {
        await perform(alone: work, closing: true)
    }

    private func perform(alone work: @escaping @Sendable (Database) -> Void, closing: Bool) async {
        await withCheckedContinuation { continuation in
            let isAccepted = inbox.withLock { inbox in
                guard !inbox.isClosed else { return false }
                inbox.isClosed = closing
                database.asyncWriteWithoutTransaction { [lock] database in
                    if (try? lock?.takeTurn()) != nil || lock == nil {
                        work(database)
                        lock?.endTurn()
                    }
                    continuation.resume()
                }
                return true
            }
            if !isAccepted { continuation.resume() }
        }
    }

    private func submit(_ job: Job) {
        let (isAccepted, failure) = inbox.withLock { inbox in
            guard !inbox.isClosed, inbox.failure == nil else { return (false, inbox.failure) }
            inbox.jobs.append(job)
            // The writer's queue is serial: a drain that is scheduled now takes along whatever comes before its turn.
            // It is scheduled under the lock, so that closing comes after it.
            if inbox.jobs.count == 1 { scheduleDrain() }
            return (true, nil)
        }
        if !isAccepted { job.finish(failure ?? StoreErrors.closed) }
    }

    private func scheduleDrain() { database.asyncWriteWithoutTransaction { [self] in drain($0) } }

    private func drain(_ database: Database) {
        let jobs = inbox.withLock { inbox in
            let jobs = Array(inbox.jobs.prefix(Self.groupLimit))
            inbox.jobs.removeFirst(jobs.count)
            if !inbox.jobs.isEmpty { scheduleDrain() }
            return jobs
        }
        execute(jobs, database)
    }

    /// - Parameter hasFailed: Whether one of the jobs has failed a moment ago, so that each is to be undone alone.
    private func execute(_ jobs: [Job], _ database: Database, hasFailed: Bool = false) {
        groups.add(1, ordering: .relaxed)
        // The machine's own time: it is the disk that is measured.
        let began = ContinuousClock.now
        var failures = [(any Error)?](repeating: nil, count: jobs.count)
        do {
            try lock?.takeTurn()
            defer { lock?.endTurn() }
            try database.inTransaction(.immediate) {
                for (index, job) in jobs.enumerated() {
                    guard hasFailed else {
                        try Self.doWithoutSavepoint(job, database)
                        continue
                    }
                    do {
                        try Self.doWithSavepoint(job, database)
                    } catch  where database.isInsideTransaction && !Self.endsGroup(error) {
                        failures[index] = error
                    }
                }
                return .commit
            }
        } catch {
            let failure = error as? JobFailure
            let error = failure?.error ?? error
            // After a failed fsync(2) the kernel may have forgotten what it could not write, and a second one may succeed
            // without it: nothing that this process says of the disk is sure any more, and the next one begins anew.
            if Self.isDoubtful(error) {
                inbox.withLock { $0.failure = error }
                for job in jobs { job.finish(error) }
            } else if failure != nil, !Self.endsGroup(error), jobs.count > 1 {
                execute(jobs, database, hasFailed: true)
            } else if jobs.count > 1 {
                // The disk refused the whole group. One write that is too large for it must not take the others along.
                for job in jobs { execute([job], database) }
            } else {
                for job in jobs { job.finish(error) }
            }
            return
        }
        committed(ContinuousClock.now - began)
        for (job, failure) in zip(jobs, failures) { job.finish(failure) }
    }

    /// Does one job that is undone with all others of its group.
    private static func doWithoutSavepoint(_ job: Job, _ database: Database) throws {
        do { try job.work(database) } catch { throw JobFailure(error: error) }
        if !database.isInsideTransaction { throw NotUndone() }
    }

    /// Does one job so that it can be undone alone. A job may not write on behind an error of SQLite's: that may have rolled back
    /// everything, and what it wrote would be on the disk at once.
    private static func doWithSavepoint(_ job: Job, _ database: Database) throws {
        try database.run("SAVEPOINT job")
        do {
            try job.work(database)
            try database.run("RELEASE SAVEPOINT job")
        } catch {
            // Where SQLite has rolled back everything already, there is nothing to undo.
            guard database.isInsideTransaction else { throw error }
            do {
                try database.run("ROLLBACK TRANSACTION TO SAVEPOINT job")
                try database.run("RELEASE SAVEPOINT job")
            } catch { throw NotUndone() }
            throw error
        }
    }

    /// A job failed, whose group is undone.
    private struct JobFailure: Error {
        let error: any Error
    }

    /// Half of a job may stand in the transaction: it must not be committed.
    private struct NotUndone: Error {}

    private static func isDoubtful(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        return [.SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DIR_FSYNC].contains(error.extendedResultCode)
    }

    /// Errors after which SQLite may have rolled back more than the statement.
    private static func endsGroup(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return error is NotUndone }
        return [.SQLITE_FULL, .SQLITE_IOERR, .SQLITE_NOMEM, .SQLITE_BUSY, .SQLITE_INTERRUPT, .SQLITE_CORRUPT]
            .contains(error.resultCode)
    }
}

/// What a write answered, carried from the writer's thread to the task that waits.
private final class Outcome<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    func set(_ value: Value) { self.value.withLock { $0 = value } }

    func result(_ error: (any Error)?) -> Result<Value, any Error> {
        if let error { return .failure(error) }
        return value.withLock { value in
            value.map { .success($0) } ?? .failure(StoreErrors.closed)
        }
    }
}
