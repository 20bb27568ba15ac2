internal import Glibc

/// Splits a mailbox into lines. A line that is too long to be held comes in parts: some programs write an attachment of any
/// size in one line.
struct MailLines {
    /// What is visited.
    enum Part {
        /// A line of at most `limit` bytes, however it arrived.
        case whole
        /// A part of a longer one. The first part has at least `limit` bytes; the last one may be empty.
        case long(isFirst: Bool, isLast: Bool)

        /// Whether the line begins here.
        var isFirst: Bool {
            switch self {
            case .whole: true
            case .long(let isFirst, _): isFirst
            }
        }

        /// Whether the line ends here.
        var isLast: Bool {
            switch self {
            case .whole: true
            case .long(_, let isLast): isLast
            }
        }
    }

    private var carry = Carry()
    /// The number of the next line.
    private(set) var line = 1
    private let limit: Int
    /// Whether parts of the line have been visited.
    private var isInside = false
    /// Whether lines may be pending.
    private(set) var isBehind = false

    init(limit: Int) { self.limit = limit }

    /// Takes a piece and visits what it completes, without the LF, until `visit` returns `false`.
    ///
    /// Only the last part of a line ends with a CR.
    mutating func take(
        _ piece: UnsafeRawBufferPointer,
        _ visit: (UnsafeRawBufferPointer, Part, _ line: Int) throws(DecodingFault) -> Bool
    ) throws(DecodingFault) {
        var (number, isInside, stopped) = (line, isInside, false)
        let limit = limit
        try carry.add(piece) { bytes, seen throws(DecodingFault) in
            var (start, from) = (0, seen)
            while !stopped, let end = Self.lineEnd(bytes, from) {
                let isLong = isInside || end - start > limit
                let text = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
                stopped = try !visit(text, isLong ? .long(isFirst: !isInside, isLast: true) : .whole, number)
                (isInside, number) = (false, number + 1)
                (start, from) = (end + 1, end + 1)
            }
            if stopped { return (start, 0) }
            guard isInside || bytes.count - start > limit else { return (start, bytes.count - start) }
            // A CR may belong to the end of the line.
            let end = bytes.last == 0x0D ? bytes.count - 1 : bytes.count
            if start < end {
                let text = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
                stopped = try !visit(text, .long(isFirst: !isInside, isLast: false), number)
                isInside = true
            }
            return (max(start, end), bytes.count - max(start, end))
        }
        (line, self.isInside, isBehind) = (number, isInside, stopped)
    }

    /// Visits what is pending, and the end of the last line, if no LF follows it.
    mutating func finish(
        _ visit: (UnsafeRawBufferPointer, Part, _ line: Int) throws(DecodingFault) -> Bool
    ) throws(DecodingFault) {
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        try take(nothing, visit)
        if isBehind { return }
        let (number, isInside) = (line, isInside)
        try carry.add(nothing) { bytes, _ throws(DecodingFault) in
            if isInside || !bytes.isEmpty {
                _ = try visit(bytes, isInside ? .long(isFirst: false, isLast: true) : .whole, number)
            }
            return (bytes.count, 0)
        }
        self.isInside = false
    }

    private static func lineEnd(_ bytes: UnsafeRawBufferPointer, _ from: Int) -> Int? {
        guard let base = bytes.baseAddress, from < bytes.count else { return nil }
        return memchr(base + from, 0x0A, bytes.count - from).map { base.distance(to: UnsafeRawPointer($0)) }
    }
}
