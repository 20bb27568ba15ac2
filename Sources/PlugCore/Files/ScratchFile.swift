internal import Glibc
internal import Synchronization

/// A nameless file for what does not fit into memory: it is gone with its owner, even if the process dies. Callers word the
/// errors in their own codes.
package final class ScratchFile: Sendable {
    private let file: FileDescriptor
    private let room: ScratchRoom?
    /// How many bytes of the room it has taken: up to the furthest write.
    private let length = Mutex(0)

    /// The folder for callers without one of their own: `TMPDIR` if set, else `/var/tmp`, which is on a disk; `/tmp` is often
    /// memory.
    package static let defaultFolder: String = {
        // getenv(3) gives a string that belongs to the environment; it is copied at once.
        if let folder = getenv("TMPDIR").map({ String(cString: $0) }), folder.hasPrefix("/") { return folder }
        return access("/var/tmp", W_OK) == 0 ? "/var/tmp" : "/tmp"
    }()

    /// Makes a file that no one else can open.
    ///
    /// - Parameters:
    ///   - folder: A folder on a disk with room, such as the state's; the file is visible in it only briefly.
    ///   - room: The shared limit it counts against; `nil` if only the disk limits it.
    package init(in folder: String, room: ScratchRoom? = nil) throws(FileError) {
        // Several processes make such files in a state folder, perhaps each with process id 1 in its own container: a random
        // 64-bit number keeps them apart, and O_EXCL reports a collision.
        let path = "\(folder)/scratch-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        guard let file = FileDescriptor(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600) else {
            throw .system(errno)
        }
        // unlink(2): the open file continues to exist without its name.
        unlink(path)
        self.file = file
        self.room = room
    }

    deinit { room?.give(back: length.withLock { $0 }) }

    /// Writes bytes at an offset, all of them or with an error.
    ///
    /// - Throws: `FileError`, such as for a full disk, or if the room is used up.
    package func write(_ bytes: UnsafeRawBufferPointer, at start: Int) throws(FileError) {
        if let room {
            try length.withLock { (length) throws(FileError) in
                let more = start + bytes.count - length
                guard more > 0 else { return }
                try room.take(more)
                length += more
            }
        }
        var done = 0
        while done < bytes.count {
            let count = pwrite(
                file.number,
                bytes.baseAddress.map { $0 + done },
                bytes.count - done,
                off_t(start + done)
            )
            if count < 0, errno == EINTR { continue }
            // A disk that accepts nothing is full.
            if count <= 0 { throw .system(count < 0 ? errno : ENOSPC) }
            done += count
        }
    }

    /// Writes values, as they are in memory, at a byte offset.
    ///
    /// - Throws: `FileError`, such as for a full disk.
    package func write<Value: BitwiseCopyable>(_ values: [Value], at start: Int) throws(FileError) {
        var failure: FileError?
        values.withUnsafeBytes { bytes in
            do throws(FileError) { try write(bytes, at: start) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Its first bytes (at least one), which have been written, as memory.
    ///
    /// - Throws: `FileError`.
    package func mapping(_ count: Int) throws(FileError) -> FileMapping { try FileMapping(file, count: count) }

    /// Fills values from a byte offset.
    ///
    /// - Throws: `FileError`, also if the file is shorter.
    package func read<Value: BitwiseCopyable>(into values: inout [Value], at start: Int) throws(FileError) {
        var failure: FileError?
        values.withUnsafeMutableBytes { bytes in
            do throws(FileError) { try read(into: bytes, at: start) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Fills a buffer from a byte offset.
    ///
    /// - Throws: `FileError`, also if the file is shorter.
    package func read(into bytes: UnsafeMutableRawBufferPointer, at start: Int) throws(FileError) {
        var done = 0
        while done < bytes.count {
            let count = pread(
                file.number,
                bytes.baseAddress.map { $0 + done },
                bytes.count - done,
                off_t(start + done)
            )
            if count < 0, errno == EINTR { continue }
            // No one else has the file: bytes that were written and are missing are the disk's fault.
            if count <= 0 { throw .system(count < 0 ? errno : EIO) }
            done += count
        }
    }
}
