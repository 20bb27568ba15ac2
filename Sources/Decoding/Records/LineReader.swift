internal import Glibc

/// Splits a text into lines: LF, CRLF or a lone CR ends one, as in text files of all systems.
struct LineReader {
    private var carry = Carry()
    /// The number of the next line.
    private(set) var line = 1
    private let limit: Int
    /// Whether the last line ended with a CR at the end of a piece, whose LF may follow.
    private var endedWithCR = false
    /// Whether a lone CR ends a line; in JSON it is white space.
    private let endsAtCR: Bool
    /// The byte that ends a line.
    private let end: UInt8
    /// Whether lines may be pending.
    private(set) var isBehind = false

    /// - Parameter end: What ends a line in place of LF.
    init(limit: Int, endsAtCR: Bool, end: UInt8 = 0x0A) {
        self.limit = limit
        self.endsAtCR = endsAtCR
        self.end = end
    }

    /// Takes a piece and visits the lines that it completes, without their ends, until `visit` returns `false`.
    mutating func take(
        _ piece: UnsafeRawBufferPointer,
        _ visit: (UnsafeRawBufferPointer, _ line: Int) throws(DecodingFault) -> Bool
    ) throws(DecodingFault) {
        var (number, afterCR, stopped) = (line, endedWithCR, false)
        let (limit, endsAtCR, end) = (limit, endsAtCR, end)
        try carry.add(piece) { bytes, seen throws(DecodingFault) in
            var start = 0
            var from = seen
            if afterCR, let first = bytes.first {
                if first == 0x0A { (start, from) = (1, 1) }
                afterCR = false
            }
            // The next LF, so that a text whose lines end otherwise is not searched again for each of them.
            var next = -1
            while !stopped {
                if next < from { next = Self.first(end, bytes, from, bytes.count) ?? bytes.count }
                let found = (endsAtCR ? Self.first(0x0D, bytes, from, next) : nil) ?? next
                guard found < bytes.count else { break }
                if found - start > limit { throw Self.tooLong(limit, number) }
                let text = UnsafeRawBufferPointer(rebasing: bytes[start..<found])
                stopped = try !visit(text, number)
                number += end == 0x0A ? 1 : text.count { $0 == 0x0A }
                start = found + 1
                if bytes[found] == 0x0D {
                    if start == bytes.count { afterCR = true } else if bytes[start] == 0x0A { start += 1 }
                }
                from = start
            }
            if stopped { return (start, 0) }
            if bytes.count - start > limit { throw Self.tooLong(limit, number) }
            return (start, bytes.count - start)
        }
        (line, endedWithCR, isBehind) = (number, afterCR, stopped)
    }

    /// Visits what is pending, and the last line, if no line end follows it.
    mutating func finish(
        _ visit: (UnsafeRawBufferPointer, _ line: Int) throws(DecodingFault) -> Bool
    ) throws(DecodingFault) {
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        try take(nothing, visit)
        if isBehind { return }
        let number = line
        try carry.add(nothing) { bytes, _ throws(DecodingFault) in
            if !bytes.isEmpty { _ = try visit(bytes, number) }
            return (bytes.count, 0)
        }
    }

    private static func first(_ byte: UInt8, _ bytes: UnsafeRawBufferPointer, _ from: Int, _ end: Int) -> Int? {
        guard let base = bytes.baseAddress, from < end else { return nil }
        return memchr(base + from, Int32(byte), end - from).map { base.distance(to: UnsafeRawPointer($0)) }
    }

    private static func tooLong(_ limit: Int, _ line: Int) -> DecodingFault {
        DecodingFault(.overLimit, "a record is longer than the limit of \(limit) bytes", line: line)
    }
}

extension UnsafeRawBufferPointer {
    /// Trims blanks, tabs and carriage returns at both ends.
    var trimmed: UnsafeRawBufferPointer { trimmed { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } }

    /// Trims blanks, tabs and line ends at both ends: JSON's white space.
    var trimmedOfLineEnds: UnsafeRawBufferPointer {
        trimmed { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D || $0 == 0x0A }
    }

    @inline(__always)
    private func trimmed(_ isBlank: (UInt8) -> Bool) -> UnsafeRawBufferPointer {
        var (start, end) = (startIndex, endIndex)
        while start < end, isBlank(self[start]) { start += 1 }
        while end > start, isBlank(self[end - 1]) { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[start..<end])
    }
}
