internal import Glibc
internal import PlugCore

/// The lock that makes one process the writer of a state folder. It ends with the process, however that ends.
///
/// flock(2) belongs to the open file, so that a second store in the same process is kept out as well, and the kernel
/// drops it when the descriptor goes. The file stays: removing it would let two processes lock two files of one name.
struct StoreLock: ~Copyable {
    private let file: FileDescriptor

    /// Takes the lock, waiting until `deadline` with a look every `interval`.
    static func take(
        _ folder: StateFolder,
        wait: Duration,
        clock: any HostClock
    ) async throws(PlugError) -> StoreLock {
        let interval = Duration.milliseconds(50)
        var left = wait
        while true {
            if let lock = try attempt(folder, clock: clock) { return lock }
            guard left > .zero else { throw held(folder) }
            do {
                try await clock.sleep(for: min(left, interval))
            } catch {
                throw PlugError("interrupted", exit: .interrupted, "interrupted while waiting for the state folder")
            }
            left -= interval
        }
    }

    private static func attempt(_ folder: StateFolder, clock: any HostClock) throws(PlugError) -> StoreLock? {
        guard let file = FileDescriptor(folder.lock, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600) else {
            throw failed(folder)
        }
        // flock(2) with LOCK_NB never blocks; EWOULDBLOCK says that somebody else holds it.
        guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else {
            if errno == EWOULDBLOCK || errno == EINTR { return nil }
            throw failed(folder)
        }
        // Only for people: the lock holds without it.
        _ = file.replaceContent(with: Array(LockHolder.current(clock: clock).text.utf8))
        return StoreLock(file: file)
    }

    private init(file: consuming FileDescriptor) { self.file = file }

    /// Clears the holder's name, so that nobody is named who has gone; the descriptor's end is the lock's.
    deinit { _ = file.replaceContent(with: []) }

    private static func held(_ folder: StateFolder) -> PlugError {
        let holder = LockHolder(parsing: FileDescriptor.content(of: folder.lock, limit: 1_024) ?? [])
        return PlugError(
            "state-locked",
            exit: .tryLater,
            "the state folder \(folder.path) is in use by \(holder?.description ?? "another process")",
            advice: "wait for it with --wait 60s, or use another folder with --state DIR"
        )
    }

    private static func failed(_ folder: StateFolder) -> PlugError {
        PlugError(
            "store-failed",
            exit: lastSystemErrorPasses() ? .tryLater : .configuration,
            "\(folder.lock) cannot be locked: \(lastSystemError())",
            advice: "choose a folder that you may write to with --state DIR"
        )
    }
}
