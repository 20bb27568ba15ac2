package import LosslessJSON

/// Where the bytes of an answer come from: memory, or a file.
package protocol ByteSource: Sendable {
    /// Fills a part of `memory` with the bytes that come next.
    ///
    /// - Returns: How many; 0 only at the end.
    mutating func read(into memory: UnsafeMutableRawBufferPointer) throws(DecodingFault) -> Int
}

/// A body that lies in memory.
package struct MemorySource: ByteSource {
    private let buffer: JSONBuffer
    private var at = 0

    /// A source of what a buffer holds; nobody may change it meanwhile.
    package init(_ buffer: JSONBuffer) { self.buffer = buffer }

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

/// What was read and not yet used: bytes that can be looked at before they are taken.
///
/// Not Sendable, and used by one task at a time: it belongs to one answer's decoder.
final class ByteInput {
    /// How many bytes are read at a time.
    static let size = 64 << 10

    private var source: any ByteSource
    private let memory: UnsafeMutableRawBufferPointer
    private var start = 0
    private var end = 0
    private var isOver = false
    /// How many bytes have come so far.
    private(set) var received = 0

    init(_ source: any ByteSource) {
        self.source = source
        memory = .allocate(byteCount: Self.size, alignment: 16)
    }

    deinit { memory.deallocate() }

    /// What can be taken at once; valid until `fill`.
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
            received += count
        }
        return end - start >= wanted
    }

    /// Takes bytes off the front.
    func take(_ count: Int) { start += count }
}
