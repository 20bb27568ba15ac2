import Glibc
import PlugCore

/// Files of a plug's folder, read and written whole.
enum SmallFile {
    /// No fixture is larger than that.
    static let byteLimit = 32 << 20

    /// The bytes of a file.
    ///
    /// - Throws: `PlugError` `fixture-unreadable`, exit 78.
    static func read(_ path: String) throws(PlugError) -> [UInt8] {
        guard let bytes = try readIfPresent(path) else {
            throw PlugError(
                .fixtureUnreadable,
                "there is no \(path)",
                advice: "name a fixture"
            )
        }
        return bytes
    }

    /// The bytes of a file, `nil` if there is none.
    static func readIfPresent(_ path: String) throws(PlugError) -> [UInt8]? {
        // Non-blocking, so that a pipe without a writer is an error and not a wait. Closed by us.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor < 0, errno == ENOENT || errno == ENOTDIR { return nil }
        guard descriptor >= 0 else { throw unreadable(path, String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw unreadable(path, "it is not a file")
        }
        guard status.st_size <= byteLimit else { throw unreadable(path, "it is larger than 32 MiB") }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(status.st_size))
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count <= byteLimit {
            // read(2): 0 is the end, -1 with EINTR is a signal and no failure.
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count == 0 { break }
            if count < 0 {
                if errno == EINTR { continue }
                throw unreadable(path, String(cString: strerror(errno)))
            }
            bytes += chunk[..<count]
        }
        return bytes
    }

    /// Replaces a file's content in one step: nobody ever sees half of it.
    static func write(_ bytes: [UInt8], to path: String) throws(PlugError) {
        let draft = path + ".new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw unwritable(path, String(cString: strerror(errno))) }
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.write(descriptor, buffer.baseAddress.map { $0 + offset }, bytes.count - offset)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let reason = String(cString: strerror(errno))
                close(descriptor)
                unlink(draft)
                throw unwritable(path, reason)
            }
            offset += count
        }
        close(descriptor)
        guard rename(draft, path) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(draft)
            throw unwritable(path, reason)
        }
    }

    /// The names in a folder, sorted by their bytes; `nil` if there is no folder.
    static func names(in folder: String) throws(PlugError) -> [String]? {
        // opendir(3): the stream is ours to close; a NULL with ENOENT means that there is nothing.
        guard let directory = opendir(folder) else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw unreadable(folder, String(cString: strerror(errno)))
        }
        defer { closedir(directory) }
        var names: [String] = []
        // readdir(3): the entry belongs to the stream and lives until the next call.
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            names.append(name)
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private static func unreadable(_ path: String, _ reason: String) -> PlugError {
        PlugError(.fixtureUnreadable, "cannot read \(path): \(reason)", advice: advice)
    }

    private static func unwritable(_ path: String, _ reason: String) -> PlugError {
        PlugError(.goldenUnwritable, exit: .configuration, "cannot write \(path): \(reason)", advice: advice)
    }

    private static let advice = "check its permissions"
}
