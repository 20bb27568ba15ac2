internal import Glibc
internal import PlugCore

/// The folder with everything that a sandbox remembers. Files are 0600, whatever the folder's own mode is.
struct StateFolder: Sendable {
    let path: String

    /// Makes the folder (0700) and its parents if they are missing.
    init(_ path: String) throws(PlugError) {
        self.path = path
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += made.isEmpty || made.hasSuffix("/") ? part : "/\(part)"
            // mkdir copies the path; EEXIST is the normal case.
            guard mkdir(made, 0o700) != 0, errno != EEXIST else { continue }
            throw Self.failure("make the folder '\(made)'", errno)
        }
    }

    func file(_ name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }

    /// Makes an empty 0600 file unless it is there, so that SQLite (and its WAL, which takes the same mode) stays private.
    func touch(_ name: String) throws(PlugError) {
        let descriptor = open(file(name), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.failure("open '\(file(name))'", errno) }
        close(descriptor)
    }

    /// A file's bytes, `nil` if there is none.
    func read(_ name: String) throws(PlugError) -> [UInt8]? {
        let descriptor = open(file(name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        if descriptor < 0 {
            if errno == ENOENT { return nil }
            throw Self.failure("read '\(file(name))'", errno)
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(descriptor, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.failure("read '\(file(name))'", errno) }
            if count == 0 { return bytes }
            bytes += part[..<count]
        }
    }

    /// Writes a 0600 file whole: under another name, then renamed.
    func write(_ bytes: [UInt8], to name: String) throws(PlugError) {
        let temporary = file("\(name).new")
        unlink(temporary)
        let descriptor = open(temporary, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure("write '\(temporary)'", errno) }
        var at = 0
        while at < bytes.count {
            let count = bytes[at...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                close(descriptor)
                throw Self.failure("write '\(temporary)'", errno)
            }
            at += count
        }
        fsync(descriptor)
        close(descriptor)
        guard rename(temporary, file(name)) == 0 else { throw Self.failure("write '\(file(name))'", errno) }
    }

    static func failure(_ doing: String, _ code: Int32) -> PlugError {
        PlugError(
            .sandboxState,
            "cannot \(doing): \(String(cString: strerror(code)))",
            advice: "choose another folder with --state, or check its permissions"
        )
    }
}

/// A lock on a file that ends with its holder's process (`flock`).
struct FileLock: ~Copyable, Sendable {
    private let descriptor: Int32

    /// Opens the lock's file; locks nothing yet.
    init(_ folder: StateFolder, _ name: String) throws(PlugError) {
        descriptor = open(folder.file(name), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw StateFolder.failure("open '\(folder.file(name))'", errno) }
    }

    deinit { close(descriptor) }

    /// Takes the lock where it is free.
    func tryLock() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// Waits for the lock; for threads that may block, never for the cooperative pool. The flock is held for
    /// milliseconds at a time by whoever has it.
    ///
    /// - Throws: `PlugError` `sandbox-state` if the system refuses to lock (`ENOLCK`, a file system without locks):
    ///   nothing runs unlocked.
    func withLock<Result>(_ body: () throws -> Result) throws -> Result {
        while flock(descriptor, LOCK_EX) != 0 {
            let code = errno
            guard code == EINTR else { throw StateFolder.failure("lock the state folder", code) }
        }
        defer { flock(descriptor, LOCK_UN) }
        return try body()
    }
}
