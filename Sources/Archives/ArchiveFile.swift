internal import Cryptography
internal import Glibc
internal import PlugCore

/// A file on this machine that may be an archive: opened, known to be a regular file, and read at any offset.
///
/// Not Sendable: one thread at a time uses it, as it belongs to one reader. Its calls block on the disk.
package final class ArchiveFile {
    /// Shows whether the file is still the one that was opened.
    package struct Stamp: Sendable, Equatable {
        /// The file's size in bytes.
        package let size: Int
        let seconds: Int
        let nanoseconds: Int
    }

    /// How many bytes are read at a time.
    private static let step = 256 << 10

    private let file: FileDescriptor
    /// The last component of its path.
    package let name: String
    /// Its state when it was opened.
    package let stamp: Stamp

    /// Opens a file for reading.
    ///
    /// - Throws: `ArchiveFault` `unopened` if it does not exist, or is not a file.
    package init(_ path: String) throws(ArchiveFault) {
        // O_NONBLOCK: opening a named pipe does not wait for a writer.
        guard let file = FileDescriptor(path, O_RDONLY | O_NONBLOCK) else {
            throw ArchiveFault(.unopened, Self.words(errno))
        }
        guard let stamp = Self.stamp(file.number) else { throw ArchiveFault(.unopened, "it is not a file") }
        if stamp.size == 0 { throw ArchiveFault(.damaged, "the file is empty") }
        self.file = file
        self.stamp = stamp
        name = path.split(separator: "/").last.map(String.init) ?? path
    }

    /// Whether it has changed since it was opened.
    package var hasChanged: Bool { Self.stamp(file.number) != stamp }

    /// fstat(2) of a regular file; `nil` for anything else.
    private static func stamp(_ number: Int32) -> Stamp? {
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Stamp(size: status.st_size, seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec)
    }

    private static func words(_ error: Int32) -> String {
        switch error {
        case ENOENT: "there is no such file"
        case EACCES: "this user may not read it"
        case EISDIR: "it is a folder"
        default: "it cannot be opened (error \(error))"
        }
    }

    /// Fills part of `memory` with the bytes at an offset.
    ///
    /// - Returns: How many; 0 only at the end.
    func read(into memory: UnsafeMutableRawBufferPointer, at offset: Int) throws(ArchiveFault) -> Int {
        while true {
            // pread(2): fills at most `memory`; -1 with EINTR is a signal, not a failure.
            let count = pread(file.number, memory.baseAddress, memory.count, off_t(offset))
            if count >= 0 { return count }
            if errno != EINTR { throw ArchiveFault(.unreadable, "the disk cannot read it (error \(errno))") }
        }
    }

    /// The first bytes.
    func head(_ count: Int) throws(ArchiveFault) -> [UInt8] { try bytes(at: 0, count) }

    /// Some bytes from the middle; fewer at the end.
    func bytes(at offset: Int, _ count: Int) throws(ArchiveFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var (done, isOver) = (0, false)
        while done < count, !isOver {
            var outcome: Result<Int, ArchiveFault> = .success(0)
            bytes.withUnsafeMutableBytes { memory in
                let rest = UnsafeMutableRawBufferPointer(rebasing: memory[done...])
                do throws(ArchiveFault) { outcome = .success(try self.read(into: rest, at: offset + done)) } catch {
                    outcome = .failure(error)
                }
            }
            let read = try outcome.get()
            done += read
            isOver = read == 0
        }
        return Array(bytes.prefix(done))
    }

    /// Distinguishes this archive from any other: 32 bytes.
    ///
    /// For a zip archive it is derived from its size and its directory, which holds the checksum, size and position of every
    /// entry, so little of the file is read. For anything else it is derived from all bytes.
    ///
    /// - Parameter isCancelled: Polled from time to time; reading gigabytes takes a while.
    /// - Throws: `ArchiveFault`; `CancellationError` if it is cancelled.
    package func digest(isCancelled: @Sendable () -> Bool) throws -> [UInt8] {
        var hash = SHA256()
        withUnsafeBytes(of: UInt64(stamp.size).bigEndian) { hash.update($0) }
        let start = try ZipEnd.find(in: self)?.directory ?? 0
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.step, alignment: 16)
        defer { memory.deallocate() }
        var at = start
        while true {
            if isCancelled() { throw CancellationError() }
            let count = try read(into: memory, at: at)
            if count == 0 { break }
            hash.update(UnsafeRawBufferPointer(rebasing: memory[..<count]))
            at += count
        }
        return hash.finalize()
    }
}
