/// Writes rows as objects, eight bytes at a time: each word is checked and copied in one step.
///
/// It handles nearly all rows. The rest it leaves to `RowScanner`, which knows all cases and words the faults: rows with too
/// many or too few cells, line breaks and control characters in cells, blanks before a cell, an escape character, long rows,
/// and the last bytes of a piece.
struct RowCopier: Sendable {
    /// Longer rows are left to the scanner, so that there is room for a whole row before it is written.
    private static let rowLimit = 32 << 10
    /// How many bytes past a position may be read: a word there, and one more after each byte of it.
    private static let reach = 16

    private let separator: UInt8
    /// The separator's value if no byte is a quote: it never begins a cell that is examined.
    private let quote: UInt8
    private let limit: Int

    /// - Parameter limit: The maximum size of one record in bytes.
    /// - Returns: `nil` for dialects in which each row must be scanned.
    init?(_ dialect: DelimitedDialect, separator: UInt8, limit: Int) {
        guard dialect.escape == nil else { return nil }
        self.separator = separator
        quote = dialect.quote ?? separator
        self.limit = min(limit, Self.rowLimit)
    }

    /// Writes rows until one must be scanned or the block is full.
    ///
    /// - Returns: The offset after the last row, and how many there were; each has one line.
    func copy(
        _ bytes: UnsafeRawBufferPointer,
        from start: Int,
        _ columns: ColumnKeys,
        _ block: BlockBuilder
    ) -> (end: Int, rows: Int) {
        guard let base = bytes.baseAddress else { return (start, 0) }
        let last = base + (bytes.count - Self.reach)
        let json = block.json
        return columns.withUnsafeKeys { keys, starts in
            let room = keys.count + 2 * limit + 2 * Self.reach
            var (at, rows) = (base + start, 0)
            while at <= last, !block.isFull {
                let mark = json.count
                json.append(block.count == 0 ? "[" : ",")
                let end = json.write(room) { copyRow(at, min(last, at + limit), keys, starts, to: &$0) }
                // Words are examined whole: a row may end slightly past the limit.
                guard let end, end - at <= limit else {
                    json.truncate(to: mark)
                    break
                }
                block.countWritten()
                (at, rows) = (end, rows + 1)
            }
            return (at - base, rows)
        }
    }

    /// - Parameter last: The last position from which `reach` bytes can be read.
    /// - Returns: What follows the row's line end; `nil` if it must be scanned.
    @inline(__always)
    private func copyRow(
        _ start: UnsafeRawPointer,
        _ last: UnsafeRawPointer,
        _ keys: UnsafeRawBufferPointer,
        _ starts: UnsafeBufferPointer<Int>,
        to out: inout UnsafeMutableRawPointer
    ) -> UnsafeRawPointer? {
        guard let keyBase = keys.baseAddress else { return nil }
        let count = starts.count - 1
        var (at, column) = (start, 0)
        while column < count {
            Word.copy(keyBase + starts[column], starts[column + 1] - starts[column], to: &out)
            guard at <= last else { return nil }
            let first = at.load(as: UInt8.self)
            // An empty row is not a row.
            if first == 0x20 || (column == 0 && (first == 0x0A || first == 0x0D)) { return nil }
            let isQuoted = first == quote && quote != separator
            let copied = isQuoted ? copyQuoted(at + 1, last, to: &out) : copyPlain(at, last, to: &out)
            guard let end = copied else { return nil }
            out.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
            out += 1
            column += 1
            let byte = end.load(as: UInt8.self)
            if byte == separator {
                at = end + 1
                continue
            }
            let isReturn = byte == 0x0D && end.load(fromByteOffset: 1, as: UInt8.self) == 0x0A
            guard column == count, byte == 0x0A || isReturn else { return nil }
            out.storeBytes(of: UInt8(ascii: "}"), as: UInt8.self)
            out += 1
            return end + (isReturn ? 2 : 1)
        }
        return nil
    }

    /// Copies a cell without quotes around it.
    ///
    /// - Returns: The separator or line end after it.
    @inline(__always)
    private func copyPlain(
        _ start: UnsafeRawPointer,
        _ last: UnsafeRawPointer,
        to out: inout UnsafeMutableRawPointer
    ) -> UnsafeRawPointer? {
        var at = start
        while at <= last {
            let word = Word(at)
            word.store(to: out)
            let skipped = word.first(of: word.needsEscape | word.has(separator))
            at += skipped
            out += skipped
            if skipped == Word.size { continue }
            let byte = at.load(as: UInt8.self)
            if byte == separator || byte == 0x0A || byte == 0x0D { return at }
            guard byte >= 0x20 else { return nil }
            Self.escape(byte, to: &out)
            at += 1
        }
        return nil
    }

    /// Copies the inside of a cell with quotes around it.
    ///
    /// - Returns: What follows the closing quote.
    @inline(__always)
    private func copyQuoted(
        _ start: UnsafeRawPointer,
        _ last: UnsafeRawPointer,
        to out: inout UnsafeMutableRawPointer
    ) -> UnsafeRawPointer? {
        var at = start
        while at <= last {
            let word = Word(at)
            word.store(to: out)
            let skipped = word.first(of: word.needsEscape | word.has(quote))
            at += skipped
            out += skipped
            if skipped == Word.size { continue }
            let byte = at.load(as: UInt8.self)
            if byte == quote {
                at += 1
                guard at.load(as: UInt8.self) == quote else { return at }
            }
            guard byte >= 0x20 else { return nil }
            if byte == 0x22 || byte == 0x5C {
                Self.escape(byte, to: &out)
            } else {
                out.storeBytes(of: byte, as: UInt8.self)
                out += 1
            }
            at += 1
        }
        return nil
    }

    @inline(__always)
    private static func escape(_ byte: UInt8, to out: inout UnsafeMutableRawPointer) {
        out.storeBytes(of: UInt8(ascii: "\\"), as: UInt8.self)
        out.storeBytes(of: byte, toByteOffset: 1, as: UInt8.self)
        out += 2
    }
}

/// Eight bytes that are examined together.
struct Word {
    static let size = 8
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let tops: UInt64 = 0x8080_8080_8080_8080

    private let bits: UInt64

    @inline(__always)
    init(_ from: UnsafeRawPointer) { bits = UInt64(littleEndian: from.loadUnaligned(as: UInt64.self)) }

    @inline(__always)
    func store(to out: UnsafeMutableRawPointer) { out.storeBytes(of: bits.littleEndian, as: UInt64.self) }

    /// Marks the bytes of a value. Only the lowest mark is exact, because a hit borrows from the byte above it; the same is true
    /// of all combined marks.
    @inline(__always)
    func has(_ byte: UInt8) -> UInt64 {
        let rest = bits ^ (Self.ones &* UInt64(byte))
        return (rest &- Self.ones) & ~rest & Self.tops
    }

    /// Marks the bytes that must be escaped in a JSON string: control characters, `"` and `\`.
    @inline(__always)
    var needsEscape: UInt64 {
        ((bits &- Self.ones &* 0x20) & ~bits & Self.tops) | has(0x22) | has(0x5C)
    }

    /// The number of bytes before the first marked one: 8 if there is none.
    @inline(__always)
    func first(of marks: UInt64) -> Int { marks.trailingZeroBitCount >> 3 }

    /// Copies bytes in whole words: up to seven bytes past them are read and written too.
    @inline(__always)
    static func copy(_ from: UnsafeRawPointer, _ count: Int, to out: inout UnsafeMutableRawPointer) {
        var at = 0
        while at < count {
            Word(from + at).store(to: out + at)
            at += size
        }
        out += count
    }
}
