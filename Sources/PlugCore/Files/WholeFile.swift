internal import Glibc

/// Files that are read and written whole. Callers word the errors in their own codes. Only the host's key and the lock file need
/// more: they are checked, locked or linked while open, as `FileDescriptor`s.
///
/// * Reading never holds more than its limit. With `.regular`, neither a pipe without a writer nor a device blocks a reader; with
///   `.noLink`, no one can redirect the reader.
/// * Writing is all or nothing, for readers and across a power failure: the bytes go into a new file beside the old one, readable
///   only by its owner, are synced to the disk and then take the old one's place.
package enum WholeFile {
    /// What a path must lead to.
    package struct Rules: OptionSet, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        /// A regular file; a folder, pipe or device is `FileError.notRegular`.
        package static let regular = Rules(rawValue: 1)
        /// Not a symbolic link.
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

    /// All bytes of a file below a folder, without following symbolic links, not even in place of an intermediate folder.
    ///
    /// - Parameter steps: The names of the folders on the way, then that of the file. None may be `.` or `..`.
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
        // Non-blocking, so that a pipe without a writer blocks no one.
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

    /// The first bytes of a file, at most `count`.
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

    /// Replaces the file at a path by one with these bytes. If it fails, the old one stays.
    ///
    /// - Parameter mode: Its mode, less the process's umask.
    package static func replace(_ path: String, with bytes: [UInt8], mode: UInt32 = 0o600) throws(FileError) {
        // Named by this process, so that two that write the same file do not write into each other's draft.
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
        // Some file systems cannot do this for folders; the file is in place either way.
        _ = FileDescriptor(folder(of: path), O_RDONLY | O_DIRECTORY)?.synchronise()
    }

    /// Makes a folder and its missing parents. An existing folder keeps its mode.
    ///
    /// - Parameter mode: Its mode, less the process's umask.
    /// - Returns: Which folder could not be made, with its reason in `errno`; `nil` if all are there.
    package static func makeFolders(_ path: String, mode: UInt32 = 0o700) -> String? {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += made.isEmpty || made.hasSuffix("/") ? part : "/\(part)"
            // mkdir(2): EEXIST is the normal case; anything not a folder shows when something in it is opened.
            if mkdir(made, mode) != 0, errno != EEXIST { return made }
        }
        return nil
    }

    /// The folder of a file: `.` if the path names none.
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
    /// The files of a run may take this much together.
    case noRoom(limit: Int)

    /// The reason, in the system's words or ours.
    package var reason: String {
        switch self {
        case .system(let number): String(cString: strerror(number))
        case .notRegular: "it is not a file"
        case .tooLarge: "it is too large"
        case .noRoom(let limit):
            "all temporary files of a run may take \(HumanSize.text(limit)) together (\(RunLimitKey.scratch.setting))"
        }
    }
}
