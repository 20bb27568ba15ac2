internal import GRDB
internal import Synchronization

/// Groups writes from many tasks: those that arrive while one transaction waits for the disk share the next one.
///
/// Each write succeeds or fails on its own, and its task continues only once it is on disk. A cancelled task's write is still
/// performed: the consequences of a sent batch are never forgotten.
///
/// Writes hardly ever fail. If one of a group does, the whole group is rolled back and repeated with a savepoint for each write:
/// a savepoint copies every page that is written after it, which is more work than the writing itself.
final class WriteQueue: Sendable {
    /// The maximum number of writes in a transaction, so that the first does not wait for too many others.
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

    /// Runs that end in the transaction under way.
    let endedRuns = EndedRuns()
    private let database: DatabaseQueue
    private let lock: StateLock?
    private let committed: @Sendable (Duration) -> Void
    private let inbox = Mutex(Inbox())
    /// Held while work is put into the writer's queue, so that none is put there after the final work. A lock of its own: the writer
    /// takes the inbox's lock as soon as it wakes.
    private let scheduling = Mutex(())
    private let groups = Atomic<Int>(0)

    /// - Parameters:
    ///   - lock: Gives several processes their turns; `nil` if there are no others.
    ///   - committed: Is passed the time each transaction took to reach the disk, on the writer's thread.
    init(
        _ database: DatabaseQueue,
        _ lock: StateLock? = nil,
        committed: @escaping @Sendable (Duration) -> Void = { _ in }
    ) {
        self.database = database
        self.lock = lock
        self.committed = committed
    }

    /// The number of transactions so far, for tests of grouping.
    var groupCount: Int { groups.load(ordering: .relaxed) }

    /// The number of writes that wait for the next transaction.
    var waitingCount: Int { inbox.withLock { $0.jobs.count } }

    /// Whether writes are refused.
    var isClosed: Bool { inbox.withLock { $0.isClosed } }

    /// Performs some work inside a transaction and returns its result once it is on disk.
    ///
    /// - Parameter work: Runs on the writer's own thread, and a second time if its group's transaction or another write of its
    ///   group failed.
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

    /// Performs work that must be outside any transaction, such as a checkpoint; does nothing once the queue is closed, or if
    /// another process does not end its turn.
    func performAlone(_ work: @escaping @Sendable (Database) -> Void) async {
        await perform(alone: work, closing: false)
    }

    /// Completes accepted writes, then performs some final work. Later writes are refused.
    func close(finally work: @escaping @Sendable (Database) -> Void) async {
        await perform(alone: work, closing: true)
    }

    private func perform(alone work: @escaping @Sendable (Database) -> Void, closing: Bool) async {
        await withCheckedContinuation { continuation in
            let isAccepted = scheduling.withLock { _ in
                let isOpen = inbox.withLock { inbox in
                    defer { inbox.isClosed = inbox.isClosed || closing }
                    return !inbox.isClosed
                }
                guard isOpen else { return false }
                database.asyncWriteWithoutTransaction { [self] database in
                    // Accepted writes come before the final work, also those for which no drain is in the queue yet.
                    if closing { while drain(database) {} }
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
        let (isAccepted, failure) = scheduling.withLock { _ in
            let (isAccepted, isFirst, failure) = inbox.withLock { inbox in
                guard !inbox.isClosed, inbox.failure == nil else { return (false, false, inbox.failure) }
                inbox.jobs.append(job)
                return (true, inbox.jobs.count == 1, nil)
            }
            // The writer's queue is serial: a drain scheduled now includes whatever arrives before its turn.
            if isFirst { scheduleDrain() }
            return (isAccepted, failure)
        }
        if !isAccepted { job.finish(failure ?? StoreErrors.closed) }
    }

    private func scheduleDrain() {
        database.asyncWriteWithoutTransaction { [self] database in
            if drain(database) { scheduleDrain() }
        }
    }

    /// Performs a group of writes.
    ///
    /// - Returns: Whether there are more.
    private func drain(_ database: Database) -> Bool {
        let (jobs, areMore) = inbox.withLock { inbox in
            let jobs = Array(inbox.jobs.prefix(Self.groupLimit))
            inbox.jobs.removeFirst(jobs.count)
            return (jobs, !inbox.jobs.isEmpty)
        }
        // Closing may have performed what this drain was scheduled for.
        if !jobs.isEmpty { execute(jobs, database) }
        return areMore
    }

    /// - Parameter hasFailed: Whether one of the jobs has just failed, so that each must be undoable on its own.
    private func execute(_ jobs: [Job], _ database: Database, hasFailed: Bool = false) {
        if let failure = inbox.withLock({ $0.failure }) {
            for job in jobs { job.finish(failure) }
            return
        }
        groups.add(1, ordering: .relaxed)
        // The machine's own clock: the disk is what is measured.
        let began = ContinuousClock.now
        var failures = [(any Error)?](repeating: nil, count: jobs.count)
        do {
            try lock?.takeTurn()
            defer { lock?.endTurn() }
            try database.inTransaction(.immediate) {
                endedRuns.reset()
                for (index, job) in jobs.enumerated() {
                    guard hasFailed else {
                        try Self.doWithoutSavepoint(job, database)
                        continue
                    }
                    do {
                        try doWithSavepoint(job, database)
                    } catch  where database.isInsideTransaction && !Self.endsGroup(error) {
                        failures[index] = error
                    }
                }
                try endedRuns.write(to: database)
                return .commit
            }
        } catch {
            let failure = error as? JobFailure
            let error = failure?.error ?? error
            // After a failed fsync(2) the kernel may have dropped what it could not write, and a second one may succeed without
            // it: nothing that this process knows about the disk is certain any more, and the next process starts afresh.
            if Self.isDoubtful(error) {
                inbox.withLock { $0.failure = error }
                for job in jobs { job.finish(error) }
            } else if failure != nil, !Self.endsGroup(error), jobs.count > 1 {
                execute(jobs, database, hasFailed: true)
            } else if jobs.count > 1 {
                // The disk refused the whole group. One write that is too large must not take the others with it.
                for job in jobs { execute([job], database) }
            } else {
                for job in jobs { job.finish(error) }
            }
            return
        }
        committed(ContinuousClock.now - began)
        for (job, failure) in zip(jobs, failures) { job.finish(failure) }
    }

    /// Performs one job that is rolled back together with its group.
    private static func doWithoutSavepoint(_ job: Job, _ database: Database) throws {
        do { try job.work(database) } catch { throw JobFailure(error: error) }
        if !database.isInsideTransaction { throw NotUndone() }
    }

    /// Performs one job so that it can be rolled back alone. A job must not keep writing after an SQLite error, which may have
    /// rolled back everything: what it wrote would be on disk at once.
    private func doWithSavepoint(_ job: Job, _ database: Database) throws {
        try database.run("SAVEPOINT job")
        do {
            try job.work(database)
            try endedRuns.write(to: database)
            try database.run("RELEASE SAVEPOINT job")
        } catch {
            endedRuns.reset()
            // If SQLite has already rolled back everything, there is nothing to undo.
            guard database.isInsideTransaction else { throw error }
            do {
                try database.run("ROLLBACK TRANSACTION TO SAVEPOINT job")
                try database.run("RELEASE SAVEPOINT job")
            } catch { throw NotUndone() }
            throw error
        }
    }

    /// A job failed, and its group is rolled back.
    private struct JobFailure: Error {
        let error: any Error
    }

    /// Half of a job may be in the transaction, which must not be committed.
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

/// The result of a write, carried from the writer's thread to the waiting task.
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
