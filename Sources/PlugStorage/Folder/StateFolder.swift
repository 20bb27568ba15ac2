internal import Glibc
internal import PlugCore

/// The folder that holds a store: its files, their names and their modes.
struct StateFolder: Sendable {
    /// Its path, without a trailing slash.
    let path: String

    init(_ path: String) {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.path = path
    }

    var database: String { path + "/plughost.db" }
    var key: String { path + "/key" }
    var lock: String { path + "/lock" }

    /// The beginning of the lock file, which holds only its marks; empty if there is none.
    var lockContent: [UInt8] { (try? WholeFile.read(lock, upTo: 1_024, [.regular, .noLink])) ?? [] }

    /// Creates the folder and its missing parents, for this user only. An existing folder keeps its mode.
    func make() throws(PlugError) {
        guard WholeFile.makeFolders(path) == nil else { throw failed("the state folder \(path) cannot be created") }
        try checkMode()
    }

    /// Refuses a folder in which other users could replace our database or key.
    private func checkMode() throws(PlugError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw failed("the state folder \(path) cannot be examined") }
        let isOpen = status.st_mode & 0o022 != 0 && status.st_mode & S_ISVTX == 0
        let isOfAnother = status.st_uid != geteuid() && status.st_uid != 0 && geteuid() != 0
        guard isOpen || isOfAnother else { return }
        let mode = String(status.st_mode & 0o7777, radix: 8)
        throw PlugError(
            .stateExposed,
            isOpen
                ? "others can write to the state folder \(path) (mode 0\(mode))"
                : "the state folder \(path) belongs to another user (\(status.st_uid))",
            advice: "chmod 700 \(path) and check who may have changed it, or name another folder with --state DIR"
        )
    }

    /// Creates an empty database that only this user can read. SQLite gives `-wal` and `-shm` the database's mode.
    ///
    /// An existing one is not opened: closing it would drop the POSIX locks that SQLite holds in this process.
    func makeDatabaseFile() throws(PlugError) {
        guard let file = FileDescriptor(database, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600) else {
            guard errno == EEXIST else { throw failed("\(database) cannot be created") }
            return try closeDatabaseToOthers()
        }
        _ = consume file
    }

    private func closeDatabaseToOthers() throws(PlugError) {
        var status = stat()
        guard lstat(database, &status) == 0 else { throw failed("\(database) cannot be examined") }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw PlugError(.storeFailed, exit: .configuration, "\(database) is not a regular file")
        }
        guard status.st_mode & 0o077 != 0 else { return }
        for file in [database, database + "-wal", database + "-shm"] { chmod(file, 0o600) }
    }

    /// Whether there is a database.
    var hasDatabase: Bool { access(database, F_OK) == 0 }

    /// Whether the database needs no log: there is none, or it is empty.
    var hasEmptyLog: Bool {
        var status = stat()
        return lstat(database + "-wal", &status) != 0 || status.st_size == 0
    }

    /// The size of the database and its log, in bytes.
    var databaseBytes: Int {
        [database, database + "-wal"].reduce(0) { sum, file in
            var status = stat()
            return lstat(file, &status) == 0 ? sum + Int(status.st_size) : sum
        }
    }

    /// The database's path, escaped for a URI.
    var databaseInURI: String { Self.inURI(database) }

    /// A path, escaped for a URI.
    static func inURI(_ path: String) -> String { PercentEncoding.encode(path.utf8, keepingSlashes: true) }

    /// Waits until the folder's entries are on disk.
    func synchronise() -> Bool {
        guard let folder = FileDescriptor(path, O_RDONLY | O_DIRECTORY) else { return false }
        return folder.synchronise()
    }

    private func failed(_ what: String) -> PlugError {
        PlugError(
            .storeFailed,
            exit: lastSystemErrorPasses() ? .tryLater : .configuration,
            "\(what): \(lastSystemError())",
            advice: lastSystemErrorAdvice()
        )
    }
}
