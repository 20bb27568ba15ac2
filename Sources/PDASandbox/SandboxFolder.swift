internal import Glibc
internal import PlugCore

/// The folder with everything that a sandbox remembers. Files are 0600, whatever the folder's own mode is.
struct SandboxFolder: Sendable {
    let path: String

    /// Makes the folder (0700) and its missing parents.
    init(_ path: String) throws(PlugError) {
        self.path = path
        if let missing = WholeFile.makeFolders(path) { throw Self.failure("make the folder '\(missing)'", errno) }
    }

    func file(_ name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }

    /// Makes an empty 0600 file unless it exists, so that SQLite (and its WAL, which takes the same mode) stays private.
    ///
    /// An existing file is not opened: this process may have it open as a database, and closing any descriptor of a file releases
    /// all POSIX locks that the process has on it. Another process would then think it is the last one, and remove the WAL that
    /// this one still writes to.
    func touch(_ name: String) throws(PlugError) {
        if let made = FileDescriptor(file(name), O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW, mode: 0o600) {
            _ = consume made
            return
        }
        var status = stat()
        guard errno == EEXIST, lstat(file(name), &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Self.failure("open '\(file(name))'", errno == EEXIST ? ELOOP : errno)
        }
    }

    /// A file's bytes, `nil` if there is none.
    func read(_ name: String) throws(PlugError) -> [UInt8]? {
        do throws(FileError) {
            return try WholeFile.read(file(name), limit: Self.sizeLimit, .noLink)
        } catch .system(ENOENT) {
            return nil
        } catch {
            throw Self.failure("read '\(file(name))'", error)
        }
    }

    /// Writes a 0600 file whole.
    func write(_ bytes: [UInt8], to name: String) throws(PlugError) {
        do { try WholeFile.replace(file(name), with: bytes) } catch {
            throw Self.failure("write '\(file(name))'", error)
        }
    }

    /// No file of the folder comes near it, except for the database, which is not read here.
    private static let sizeLimit = 1 << 20

    static func failure(_ doing: String, _ code: Int32) -> PlugError { failure(doing, .system(code)) }

    private static func failure(_ doing: String, _ error: FileError) -> PlugError {
        PlugError(
            .sandboxState,
            "cannot \(doing): \(error.reason)",
            advice: "choose another folder with --state, or check its permissions"
        )
    }
}

/// A lock on a file that ends with its holder's process (`flock`).
struct FileLock: ~Copyable, Sendable {
    private let file: FileDescriptor

    /// Opens the lock's file; locks nothing yet.
    init(_ folder: SandboxFolder, _ name: String) throws(PlugError) {
        guard let file = FileDescriptor(folder.file(name), O_CREAT | O_RDWR | O_NOFOLLOW, mode: 0o600) else {
            throw SandboxFolder.failure("open '\(folder.file(name))'", errno)
        }
        self.file = file
    }

    /// Takes the lock if it is free.
    func tryLock() -> Bool { flock(file.number, LOCK_EX | LOCK_NB) == 0 }

    /// Waits for the lock; for threads that may block, never for one that runs tasks. Each holder keeps the flock for
    /// milliseconds at a time.
    ///
    /// - Throws: `PlugError` `sandbox-state` if the system refuses to lock (`ENOLCK`, a file system without locks):
    ///   nothing runs unlocked.
    func withLock<Result>(_ body: () throws -> Result) throws -> Result {
        while flock(file.number, LOCK_EX) != 0 {
            let code = errno
            guard code == EINTR else { throw SandboxFolder.failure("lock the state folder", code) }
        }
        defer { flock(file.number, LOCK_UN) }
        return try body()
    }
}
