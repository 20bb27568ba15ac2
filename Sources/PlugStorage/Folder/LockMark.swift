internal import Glibc
internal import PlugCore

/// A line in the lock file that says that a state was created in the folder, and with which key: if the database is missing or
/// empty later, it was lost, rather than not yet created.
struct LockMark: Equatable {
    /// The id of the host's key.
    var key: String

    var text: String { "state \(key)\n" }

    init(key: String) { self.key = key }

    /// The mark of a folder; `nil` if there is none.
    static func read(_ folder: StateFolder) -> LockMark? {
        for line in folder.lockContent.split(separator: 0x0A) where line.starts(with: "state ".utf8) {
            return LockMark(key: String(decoding: line.dropFirst(6), as: UTF8.self))
        }
        return nil
    }
}

/// Identifies a file, whatever its name.
struct FileIdentity: Equatable {
    private let device: dev_t
    private let file: ino_t

    init(_ status: stat) { (device, file) = (status.st_dev, status.st_ino) }

    /// Identifies the file with this name; `nil` if there is none.
    init?(of path: String) {
        var status = stat()
        // lstat(2): a link in a file's place counts as another file.
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}
