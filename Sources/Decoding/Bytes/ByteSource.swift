package import LosslessJSON
package import PlugCore

/// The source of an answer's bytes, memory or a file. It is seekable: an archive lists its contents at its end.
package protocol ByteSource {
    /// The number of bytes; `nil` for a source that is only read from beginning to end, in which archives are not read.
    var count: Int? { get }
    /// Seeks to an offset, which is at most `count`.
    mutating func seek(to offset: Int)
    /// Fills part of `memory` with the next bytes.
    ///
    /// - Returns: How many; 0 only at the end.
    mutating func read(into memory: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Int
}

/// A body held in memory.
package struct MemorySource: ByteSource, Sendable {
    private let buffer: JSONBuffer
    private var at = 0

    /// A source of a buffer's contents, which must not change meanwhile.
    package init(_ buffer: JSONBuffer) { self.buffer = buffer }

    package var count: Int? { buffer.count }

    package mutating func seek(to offset: Int) { at = offset }

    package mutating func read(into memory: UnsafeMutableRawBufferPointer) -> Int {
        let start = at
        let count = buffer.withBytes { bytes in
            let count = min(memory.count, bytes.count - start)
            if count > 0 { memory.copyBytes(from: bytes[start..<(start + count)]) }
            return count
        }
        at += count
        return count
    }
}

/// A body held in an unnamed file.
package struct FileSource: ByteSource, Sendable {
    private let file: ScratchFile
    private let length: Int
    private var at = 0

    package var count: Int? { length }

    /// A source of the first bytes of a file, which must not change meanwhile.
    package init(_ file: ScratchFile, count: Int) {
        self.file = file
        length = count
    }

    package mutating func seek(to offset: Int) { at = offset }

    /// Reads on the caller's thread, which runs tasks: 66 KiB at a time from a local file that has just been written, so the bytes
    /// are in the system's cache, or come from the disk in less time than their records take to decode. A thread for each piece
    /// would cost as much as the read.
    package mutating func read(into memory: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Int {
        let length = min(memory.count, max(0, self.length - at))
        do throws(FileError) {
            try file.read(into: UnsafeMutableRawBufferPointer(rebasing: memory[..<length]), at: at)
        } catch {
            throw DecodingFault(.unreadable, error.reason)
        }
        at += length
        return length
    }
}

/// Bytes that have been read but not yet used, and can be looked at before they are taken.
///
/// Not Sendable: one task at a time uses it, as it belongs to one answer's decoder.
final class ByteInput {
    /// How many bytes are read at a time, and can be looked at: slightly more than the longest end of a zip archive.
    static let size = 66 << 10

    private var source: any ByteSource
    private let memory: UnsafeMutableRawBufferPointer
    private var start = 0
    private var end = 0
    private var isOver = false
    /// The offset of `end` in the source.
    private var position = 0
    /// How many bytes have been taken so far.
    private(set) var taken = 0

    init(_ source: any ByteSource) {
        self.source = source
        memory = .allocate(byteCount: Self.size, alignment: 16)
    }

    deinit { memory.deallocate() }

    /// The number of bytes in the source; 0 if it is not seekable.
    var count: Int { source.count ?? 0 }
    /// Whether it is seekable.
    var isSeekable: Bool { source.count != nil }

    /// Seeks to an offset of the source.
    func seek(to offset: Int) {
        let first = position - (end - start)
        if offset >= first, offset <= position {
            start += offset - first
            return
        }
        (start, end, isOver) = (0, 0, false)
        position = min(max(0, offset), count)
        source.seek(to: position)
    }

    /// What can be taken at once; valid until `fill` or `seek`.
    var available: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[start..<end]) }

    /// Reads on until that many bytes are available.
    ///
    /// - Returns: `false` if the source ends first.
    func fill(_ wanted: Int) throws(DecodingFault) -> Bool {
        while end - start < wanted, !isOver {
            if start > 0 {
                memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[start..<end]))
                (start, end) = (0, end - start)
            }
            let count = try source.read(into: UnsafeMutableRawBufferPointer(rebasing: memory[end...]))
            isOver = count == 0
            end += count
            position += count
        }
        return end - start >= wanted
    }

    /// Takes bytes from the front.
    func take(_ count: Int) {
        start += count
        taken += count
    }
}
