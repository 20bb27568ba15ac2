internal import Glibc
internal import PlugCore

extension FileDescriptor {
    /// Whether the process may open this many more files.
    static func canOpen(_ count: Int) -> Bool {
        guard count > 0 else { return true }
        guard let file = FileDescriptor("/dev/null", O_RDONLY) else { return ![EMFILE, ENFILE].contains(errno) }
        let canOpenRest = canOpen(count - 1)
        // Keeps the file open until here.
        _ = consume file
        return canOpenRest
    }

    /// The result of fstat(2) on the open file, so that it cannot be replaced in between.
    func status() -> stat? {
        var status = stat()
        return fstat(number, &status) == 0 ? status : nil
    }
}

/// The message for the last failed call's `errno`.
func lastSystemError() -> String { String(cString: strerror(errno)) }

/// Advice about the last failed call.
func lastSystemErrorAdvice() -> String {
    switch errno {
    case ENOSPC, EDQUOT: "free some disk space and run it again; nothing is lost"
    case EMFILE, ENFILE: "allow it to open more files (ulimit -n, or LimitNOFILE= of its unit), or lower --parallel"
    case EROFS: "the disk is read-only: choose a folder on another disk with --state DIR"
    case EIO: "check the disk; nothing that was reported as done is lost"
    default: "choose a folder that you can write to with --state DIR"
    }
}

/// Whether the last failed call may succeed later: a full disk may have room again, but a missing permission stays missing.
func lastSystemErrorPasses() -> Bool { [ENOSPC, EDQUOT, EIO, ENOMEM, EMFILE, ENFILE, ENOLCK].contains(errno) }
