internal import Glibc

/// An open file, closed with its owner. A call that fails leaves its reason in `errno`.
struct FileDescriptor: ~Copyable {
    let number: Int32

    /// Opens a file; `nil` if open(2) failed. Never inherited by programs that are started.
    init?(_ path: String, _ flags: Int32, mode: mode_t = 0) {
        let opened = open(path, flags | O_CLOEXEC, mode)
        guard opened >= 0 else { return nil }
        number = opened
    }

    /// close(2): the descriptor is gone even if it fails, and nothing we rely on is reported by it (fsync is).
    /// `errno` stays as it was: the owner may end just before somebody words an error.
    deinit {
        let error = errno
        close(number)
        errno = error
    }

    /// The first bytes of a file that is no link; `nil` if they cannot be read.
    static func content(of path: String, limit: Int) -> [UInt8]? {
        guard let file = FileDescriptor(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) else { return nil }
        return file.read(limit: limit)
    }

    /// Whether the process may open so many files more.
    static func canOpen(_ count: Int) -> Bool {
        guard count > 0 else { return true }
        guard let file = FileDescriptor("/dev/null", O_RDONLY) else { return ![EMFILE, ENFILE].contains(errno) }
        let canOpenRest = canOpen(count - 1)
        // Open until now.
        _ = consume file
        return canOpenRest
    }

    /// What fstat(2) says of the open file, so that nobody can exchange it in between.
    func status() -> stat? {
        var status = stat()
        return fstat(number, &status) == 0 ? status : nil
    }

    /// Reads up to `limit` bytes from the beginning; `nil` if reading fails.
    func read(limit: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: limit)
        var length = 0
        while length < limit {
            // pread(2) fills at most what is left; 0 is the end of the file.
            let count = bytes.withUnsafeMutableBytes { buffer in
                pread(number, buffer.baseAddress.map { $0 + length }, limit - length, off_t(length))
            }
            if count < 0 {
                if errno == EINTR { continue }
                return nil
            }
            if count == 0 { break }
            length += count
        }
        return Array(bytes.prefix(length))
    }

    /// Replaces the content; `false` if that failed.
    func replaceContent(with bytes: [UInt8]) -> Bool {
        guard ftruncate(number, 0) == 0 else { return false }
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                pwrite(number, buffer.baseAddress.map { $0 + offset }, bytes.count - offset, off_t(offset))
            }
            if count < 0 {
                if errno == EINTR { continue }
                return false
            }
            offset += count
        }
        return true
    }

    /// Waits until the content is on the disk; `false` if that failed.
    func synchronise() -> Bool { fsync(number) == 0 }
}

/// The text of the last failed call's `errno`.
func lastSystemError() -> String { String(cString: strerror(errno)) }

/// What to do about the last failed call.
func lastSystemErrorAdvice() -> String {
    switch errno {
    case ENOSPC, EDQUOT: "free some disk space and run it again; nothing is lost"
    case EMFILE, ENFILE: "allow it to open more files (ulimit -n, or LimitNOFILE= of its unit), or lower --parallel"
    case EROFS: "the disk is read-only: choose a folder on another disk with --state DIR"
    case EIO: "check the disk; nothing that was reported as done is lost"
    default: "choose a folder that you can write to with --state DIR"
    }
}

/// Whether the last failed call may succeed later: a full disk may have room again, a missing permission stays missing.
func lastSystemErrorPasses() -> Bool { [ENOSPC, EDQUOT, EIO, ENOMEM, EMFILE, ENFILE, ENOLCK].contains(errno) }
