package import LosslessJSON
package import PlugCore

/// Where the bytes of an answer come from: memory, or a file. It can be read anywhere: an archive says at its end what is in it.
package protocol ByteSource {
    /// How many bytes it has; `nil` for one that is only read from its beginning to its end, in which archives are not read.
    var count: Int? { get }
    /// Goes to an offset, which is at most `count`.
    mutating func seek(to offset: Int)
    /// Fills a part of `memory` with the bytes that come next.
    ///
    /// - Returns: How many; 0 only at the end.
    mutating func read(into memory: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Int
}

/// A body that lies in memory.
package struct MemorySource: ByteSource, Sendable {
    private let buffer: JSONBuffer
    private var at = 0

    /// A source of what a buffer holds; nobody may change it meanwhile.
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

/// A body that lies in a file without a name.
package struct FileSource: ByteSource, Sendable {
    private let file: ScratchFile
    private let length: Int
    private var at = 0

    package var count: Int? { length }

    /// A source of the first bytes of a file; nobody may change them meanwhile.
    package init(_ file: ScratchFile, count: Int) {
        self.file = file
        length = count
    }

    package mutating func seek(to offset: Int) { at = offset }

    /// Reads where it is called, which is the cooperative pool: 66 KiB at a time, of a file on a disk of this machine that has
    /// just been written, so that they are in the system's memory, or come from the disk in less time than their records take
    /// to decode. A thread for each piece would cost as much as the reading.
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

/// What was read and not yet used: bytes that can be looked at before they are taken.
///
/// Not Sendable, and used by one task at a time: it belongs to one answer's decoder.
final class ByteInput {
    /// How many bytes are read at a time, and can be looked at: a little more than the longest end of a zip archive.
    static let size = 66 << 10

    private var source: any ByteSource
    private let memory: UnsafeMutableRawBufferPointer
    private var start = 0
    private var end = 0
    private var isOver = false
    /// Where in the source `end` is.
    private var position = 0
    /// How many bytes were taken so far.
    private(set) var taken = 0

    init(_ source: any ByteSource) {
        self.source = source
        memory = .allocate(byteCount: Self.size, alignment: 16)
    }

    deinit { memory.deallocate() }

    /// How many bytes the source has; 0 where it cannot be read anywhere.
    var count: Int { source.count ?? 0 }
    /// Whether it can be read anywhere.
    var isSeekable: Bool { source.count != nil }

    /// Goes to an offset of the source.
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

    /// What can be taken at once; valid until `fill` and `seek`.
    var available: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[start..<end]) }

    /// Reads on until so many bytes are there.
    ///
    /// - Returns: `false` where the source ends before.
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

    /// Takes bytes off the front.
    func take(_ count: Int) {
        start += count
        taken += count
    }
}
