internal import Glibc

/// Files that are read and written whole. Each caller words the errors in its own codes. Only the host's key and the lock
/// file are more than that: they are checked, locked or linked while they are open, as `FileDescriptor`s.
///
/// * Reading never holds more than it was allowed to. With `.regular` neither a pipe without a writer nor a device holds
///   anybody up; with `.noLink` nobody can lead the reader elsewhere.
/// * Writing is all or nothing, for readers and for a machine that loses its power: the bytes go into a new file beside
///   the old one, which only its owner can read, then to the disk, then into the old one's place.
package enum WholeFile {
    /// What a path has to lead to.
    package struct Rules: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// A file; a folder, pipe or device is `FileError.notRegular`.
        package static let regular = Rules(rawValue: 1)
        /// No symbolic link.
        package static let noLink = Rules(rawValue: 2)
        /// `-` is stdin.
        package static let dashIsInput = Rules(rawValue: 4)
    }

    /// All bytes of a file.
    ///
    /// - Throws: `FileError`, also for a file of more than `limit` bytes.
    package static func read(_ path: String, limit: Int, _ rules: Rules = []) throws(FileError) -> [UInt8] {
        let bytes = try read(path, upTo: limit + 1, rules)
        guard bytes.count <= limit else { throw .tooLarge }
        return bytes
    }

    /// All bytes of a file below a folder, to which no symbolic link leads, not even one in the place of a folder between.
    ///
    /// - Parameter steps: The names of the folders on the way, and that of the file. None may be `.` or `..`.
    /// - Throws: `FileError`, also for a file of more than `limit` bytes.
    package static func read(_ steps: [String], beneath folder: String, limit: Int) throws(FileError) -> [UInt8] {
        precondition(steps.allSatisfy { !["", ".", ".."].contains($0) && !$0.contains("/") }, "steps go down")
        guard var place = FileDescriptor(folder, O_RDONLY | O_DIRECTORY) else { throw .system(errno) }
        for step in steps.dropLast() {
            guard let next = FileDescriptor(step, in: place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW) else {
                throw .system(errno)
            }
            place = next
        }
        // Non-blocking, so that a pipe without a writer holds nobody up.
        guard let name = steps.last, let file = FileDescriptor(name, in: place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        else {
            throw .system(errno)
        }
        guard let isRegular = file.isRegular else { throw .system(errno) }
        guard isRegular else { throw .notRegular }
        guard let bytes = file.read(limit: limit + 1) else { throw .system(errno) }
        guard bytes.count <= limit else { throw .tooLarge }
        return bytes
    }

    /// The first bytes of a file, not more than `count`.
    package static func read(_ path: String, upTo count: Int, _ rules: Rules) throws(FileError) -> [UInt8] {
        let isInput = rules.contains(.dashIsInput) && path == "-"
        // Non-blocking, so that opening a pipe without a writer is an error and not a wait.
        let flags = O_RDONLY | (rules.contains(.regular) ? O_NONBLOCK : 0) | (rules.contains(.noLink) ? O_NOFOLLOW : 0)
        guard let file = isInput ? FileDescriptor.standardInput() : FileDescriptor(path, flags) else {
            throw .system(errno)
        }
        if rules.contains(.regular) {
            guard let isRegular = file.isRegular else { throw .system(errno) }
            guard isRegular else { throw .notRegular }
        }
        // Most files are small: tokens, which each run reads.
        guard var bytes = file.next(upTo: 4 << 10) else { throw .system(errno) }
        while !bytes.isEmpty, bytes.count < count {
            guard let chunk = file.next(upTo: bytes.count < 4 << 10 ? 4 << 10 : 64 << 10) else { throw .system(errno) }
            if chunk.isEmpty { break }
            bytes += chunk
        }
        return bytes.count > count ? Array(bytes.prefix(count)) : bytes
    }

    /// Puts a file with these bytes into a path's place. If it fails, what was there stays.
    ///
    /// - Parameter mode: What others may do with it, less the process' umask.
    package static func replace(_ path: String, with bytes: [UInt8], mode: UInt32 = 0o600) throws(FileError) {
        // Of this process, so that two that write the same file do not write into each other's draft.
        let draft = "\(path).new-\(getpid())"
        unlink(draft)
        guard let file = FileDescriptor(draft, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW, mode: mode) else {
            throw .system(errno)
        }
        guard file.replaceContent(with: bytes), file.synchronise(), rename(draft, path) == 0 else {
            let number = errno
            unlink(draft)
            throw .system(number)
        }
        // Some file systems cannot do it for folders; the file is in its place either way.
        _ = FileDescriptor(folder(of: path), O_RDONLY | O_DIRECTORY)?.synchronise()
    }

    /// Makes a folder and what is missing above it. A folder that is there keeps its mode.
    ///
    /// - Parameter mode: Its mode, from which the system takes what the umask says.
    /// - Returns: Which folder could not be made, with its reason in `errno`; `nil` if all are there.
    package static func makeFolders(_ path: String, mode: UInt32 = 0o700) -> String? {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += made.isEmpty || made.hasSuffix("/") ? part : "/\(part)"
            // mkdir(2): EEXIST is the normal case; what is no folder shows when something is opened in it.
            if mkdir(made, mode) != 0, errno != EEXIST { return made }
        }
        return nil
    }

    /// The folder of a file: `.` where the path names none.
    package static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

/// Why a file could not be read or written.
package enum FileError: Error, Equatable {
    /// The system's reason, an `errno`.
    case system(Int32)
    case notRegular
    case tooLarge
    /// The files of a run may take so much together.
    case noRoom(limit: Int)

    /// The reason in the system's words, or in ours.
    package var reason: String {
        switch self {
        case .system(let number): String(cString: strerror(number))
        case .notRegular: "it is not a file"
        case .tooLarge: "it is too large"
        case .noRoom(let limit):
            "all temporary files of a run may take \(HumanSize.text(limit)) together (\(ScratchRoom.option))"
        }
    }
}
