internal import Glibc
internal import PlugCore

/// Locks of single bytes of a file, by fcntl(2) as open-file-description locks.
///
/// Such a lock belongs to the open file, not to the process: it ends when the last descriptor of that open file is
/// closed, however the process ends, and closing another descriptor of the same file does not drop it, as it would with
/// POSIX locks. Two tasks that share one descriptor do not exclude each other. The bytes need not exist.
extension FileDescriptor {
    enum ByteLock: Equatable {
        case taken
        /// Another open file has it.
        case held
        /// The file system has no locks, or none left; `errno` says which.
        case failed
    }

    // Linux' numbers, the same on every architecture (linux/fcntl.h); glibc shows them with _GNU_SOURCE only.
    private static let getLock: Int32 = 36
    private static let setLock: Int32 = 37

    /// Takes one byte for this open file alone, without waiting.
    func lock(byte: Int64) -> ByteLock {
        var lock = Self.lock(F_WRLCK, byte)
        while true {
            // fcntl(2), F_OFD_SETLK: EAGAIN or EACCES says that another open file holds it; l_pid must be 0.
            if fcntl(number, Self.setLock, &lock) == 0 { return .taken }
            switch errno {
            case EINTR: continue
            case EAGAIN, EACCES: return .held
            default: return .failed
            }
        }
    }

    /// Gives one byte back. That cannot fail for a lock that is held.
    func unlock(byte: Int64) {
        var lock = Self.lock(F_UNLCK, byte)
        while fcntl(number, Self.setLock, &lock) != 0, errno == EINTR {}
    }

    /// Gives back whatever bytes are held.
    func unlockAllBytes() {
        var lock = Self.lock(F_UNLCK, 0)
        lock.l_len = 0
        while fcntl(number, Self.setLock, &lock) != 0, errno == EINTR {}
    }

    /// Whether another open file holds a byte just now.
    func isLockedElsewhere(byte: Int64) -> Bool {
        var lock = Self.lock(F_WRLCK, byte)
        // F_OFD_GETLK asks without taking anything: l_type stays F_UNLCK where the lock could be had.
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
