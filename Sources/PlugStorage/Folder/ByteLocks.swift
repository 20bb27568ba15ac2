internal import Glibc
internal import PlugCore

/// Locks on single bytes of a file: fcntl(2) open-file-description locks.
///
/// Such a lock belongs to the open file, not to the process: it ends when the last descriptor of that open file is closed,
/// however the process ends, and unlike a POSIX lock it is not dropped when another descriptor of the same file is closed. Two
/// tasks that share one descriptor do not exclude each other. The bytes need not exist.
extension FileDescriptor {
    enum ByteLock: Equatable {
        case taken
        /// Another open file holds it.
        case held
        /// The file system does not support locks, or has none left; `errno` says which.
        case failed
    }

    // Linux's numbers, the same on every architecture (linux/fcntl.h); glibc exposes them only with _GNU_SOURCE.
    private static let getLock: Int32 = 36
    private static let setLock: Int32 = 37

    /// Locks one byte exclusively for this open file, without waiting.
    func lock(byte: Int64) -> ByteLock {
        var lock = Self.lock(F_WRLCK, byte)
        while true {
            // fcntl(2), F_OFD_SETLK: EAGAIN or EACCES means that another open file holds it; l_pid must be 0.
            if fcntl(number, Self.setLock, &lock) == 0 { return .taken }
            switch errno {
            case EINTR: continue
            case EAGAIN, EACCES: return .held
            default: return .failed
            }
        }
    }

    /// Unlocks one byte. That cannot fail for a lock that is held.
    func unlock(byte: Int64) {
        var lock = Self.lock(F_UNLCK, byte)
        while fcntl(number, Self.setLock, &lock) != 0, errno == EINTR {}
    }

    /// Unlocks all bytes that are held.
    func unlockAllBytes() {
        var lock = Self.lock(F_UNLCK, 0)
        lock.l_len = 0
        while fcntl(number, Self.setLock, &lock) != 0, errno == EINTR {}
    }

    /// Whether another open file holds a byte at the moment.
    func isLockedElsewhere(byte: Int64) -> Bool {
        var lock = Self.lock(F_WRLCK, byte)
        // F_OFD_GETLK asks without locking anything: l_type stays F_UNLCK if the lock is available.
        return fcntl(number, Self.getLock, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }

    private static func lock(_ type: Int32, _ byte: Int64) -> flock {
        var lock = flock()
        lock.l_type = Int16(type)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t(byte)
        lock.l_len = 1
        return lock
    }
}
