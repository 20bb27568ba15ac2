/// Writes rows as objects, eight bytes at a time: they are checked and copied in one step.
///
/// It handles nearly all rows. The rest it leaves to `RowScanner`, which knows all cases and words the faults: rows with too
/// many or too few cells, line breaks and control characters in cells, blanks before a cell, an escape character, long rows,
/// and the last bytes of a piece.
struct RowCopier: Sendable {
    /// Longer rows are left to the scanner, so that there is room for a whole row before it is written.
    private static let rowLimit = 32 << 10
    /// How many bytes past a position may be read: eight there, and eight more after each of them.
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
                // Eight bytes are examined at once: a row may end slightly past the limit.
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
            EightBytes.copy(keyBase + starts[column], starts[column + 1] - starts[column], to: &out)
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
            let bytes = EightBytes(at)
            bytes.store(to: out)
            let skipped = bytes.first(of: bytes.needsEscape | bytes.has(separator))
            at += skipped
            out += skipped
            if skipped == EightBytes.size { continue }
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
            let bytes = EightBytes(at)
            bytes.store(to: out)
            let skipped = bytes.first(of: bytes.needsEscape | bytes.has(quote))
            at += skipped
            out += skipped
            if skipped == EightBytes.size { continue }
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
