internal import Glibc

/// Cuts a text into lines: LF, CRLF or CR alone end one, as text files of all systems do.
struct LineReader {
    private var carry = Carry()
    /// The number of the next line.
    private(set) var line = 1
    private let limit: Int
    /// Whether the last line ended with a CR at the end of a piece, whose LF may follow.
    private var endedWithCR = false
    /// Whether a CR alone ends a line; in JSON it is white space.
    private let endsAtCR: Bool

    init(limit: Int, endsAtCR: Bool) {
        self.limit = limit
        self.endsAtCR = endsAtCR
    }

    /// Takes a piece in and visits the lines that are complete with it, without their ends.
    mutating func take(
        _ piece: UnsafeRawBufferPointer,
        _ visit: (UnsafeRawBufferPointer, _ line: Int) throws(DecodingFault) -> Void
    ) throws(DecodingFault) {
        var (number, afterCR) = (line, endedWithCR)
        let (limit, endsAtCR) = (limit, endsAtCR)
        try carry.add(piece) { bytes, seen throws(DecodingFault) in
            var start = 0
            var from = seen
            if afterCR, let first = bytes.first {
                if first == 0x0A { (start, from) = (1, 1) }
                afterCR = false
            }
            while let end = Self.end(bytes, from, endsAtCR) {
                if end - start > limit { throw Self.tooLong(limit, number) }
                try visit(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), number)
                number += 1
                start = end + 1
                if bytes[end] == 0x0D {
                    if start == bytes.count { afterCR = true } else if bytes[start] == 0x0A { start += 1 }
                }
                from = start
            }
            if bytes.count - start > limit { throw Self.tooLong(limit, number) }
            return (start, bytes.count - start)
        }
        (line, endedWithCR) = (number, afterCR)
    }

    /// Visits the last line, where no line end follows it.
    mutating func finish(
        _ visit: (UnsafeRawBufferPointer, _ line: Int) throws(DecodingFault) -> Void
    ) throws(DecodingFault) {
        let number = line
        try carry.add(UnsafeRawBufferPointer(start: nil, count: 0)) { bytes, _ throws(DecodingFault) in
            if !bytes.isEmpty { try visit(bytes, number) }
            return (bytes.count, 0)
        }
    }

    private static func end(_ bytes: UnsafeRawBufferPointer, _ from: Int, _ endsAtCR: Bool) -> Int? {
        guard let base = bytes.baseAddress, from < bytes.count else { return nil }
        let feed = memchr(base + from, 0x0A, bytes.count - from).map { base.distance(to: UnsafeRawPointer($0)) }
        guard endsAtCR else { return feed }
        let back = memchr(base + from, 0x0D, (feed ?? bytes.count) - from).map {
            base.distance(to: UnsafeRawPointer($0))
        }
        return back ?? feed
    }

    private static func tooLong(_ limit: Int, _ line: Int) -> DecodingFault {
        DecodingFault(.overLimit, "a record is longer than the limit of \(limit) bytes", line: line)
    }
}

extension UnsafeRawBufferPointer {
    /// Without blanks, tabs and returns on both ends.
    var trimmed: UnsafeRawBufferPointer {
        var (start, end) = (startIndex, endIndex)
        while start < end, self[start] == 0x20 || self[start] == 0x09 || self[start] == 0x0D { start += 1 }
        while end > start, self[end - 1] == 0x20 || self[end - 1] == 0x09 || self[end - 1] == 0x0D { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[start..<end])
    }
}
