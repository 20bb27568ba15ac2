internal import Glibc

/// The beginning of a file as readable memory. Its pages belong to the system, which may drop them and read them again: however
/// large it is, the process's own memory does not grow.
///
/// A disk that cannot return a page ends the process with SIGBUS. What is mapped was written a moment ago, and is nothing that
/// has to last.
package final class FileMapping: Sendable {
    /// - Note: `nonisolated(unsafe)` proof: the pointer is constant, these pages are no longer written to, and they stay in place
    ///   until this object is gone.
    private nonisolated(unsafe) let pages: UnsafeRawPointer
    private let count: Int

    /// - Parameters:
    ///   - file: A file that is open for reading; the mapping outlasts it.
    ///   - count: How many bytes, at least 1. They have been written: past the end of a file there is nothing to map.
    init(_ file: borrowing FileDescriptor, count: Int) throws(FileError) {
        // mmap(2): MAP_FAILED (-1) on failure. `munmap` takes the same address and length.
        guard let pages = mmap(nil, count, PROT_READ, MAP_SHARED, file.number, 0), pages != MAP_FAILED else {
            throw .system(errno)
        }
        (self.pages, self.count) = (UnsafeRawPointer(pages), count)
    }

    deinit { munmap(UnsafeMutableRawPointer(mutating: pages), count) }

    /// One of its eight-byte words, as they are in memory.
    @inline(__always)
    package func word(_ at: Int) -> UInt64 {
        precondition(at >= 0 && (at + 1) * 8 <= count, "a word of the mapped part")
        return pages.load(fromByteOffset: at * 8, as: UInt64.self)
    }
}
