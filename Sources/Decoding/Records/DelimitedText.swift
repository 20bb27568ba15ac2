/// Rows of cells (CSV, TSV): each is an object of texts, named by the columns.
///
/// Rows are read again from their start when more has arrived, so no state is kept inside one; a row that spans many pieces
/// is rescanned each time it has doubled.
package struct DelimitedText: RecordDecoder {
    /// The maximum number of columns in a file.
    static let columnLimit = 10_000
    /// The maximum total size of the column names in bytes: each row grows by as much.
    static let headerLimit = 256 << 10
    /// How many times as large as the file its rows may become, beyond the size of one record: short cells have long names in
    /// surveys, but a file must not make work that is the product of its header and its rows.
    static let growth = 256

    /// The maximum size of one record in bytes.
    private let limit: Int
    private var scanner: RowScanner
    private var copier: RowCopier?
    private var carry = Carry()
    /// The line on which the next row begins.
    private var line = 1
    private var skipped = 0
    /// How many bytes must be available before an incomplete row is scanned again.
    private var enough = 0
    private var isAtStart = true
    private var columns: ColumnKeys?
    /// Whether the header is one name of several words: "session expired" is not a column if nothing follows.
    private var isSentence = false
    /// Whether the header has none of the expected columns.
    private var isForeign = false
    private var hasRows = false
    /// The bytes of the rows so far, and of what they became.
    private var (taken, given) = (0, 0)
    private let dialect: DelimitedDialect
    private var beginning: TextBeginning
    /// Whether a line end has been met.
    private var knowsLineEnd = false
    package private(set) var isBehind = false

    /// A decoder of one file.
    package init(_ dialect: DelimitedDialect = DelimitedDialect(), _ limits: DecodingLimits = DecodingLimits()) {
        self.dialect = dialect
        limit = min(limits.record, .max / 4)
        scanner = RowScanner(dialect)
        copier = RowCopier(dialect, separator: dialect.separator, limit: limit)
        // Without a header, the first row may hold anything.
        beginning = TextBeginning(refuses: dialect.header == .firstRow ? [.html, .xml, .json] : [.html, .xml])
        if case .names(let names) = dialect.header {
            columns = ColumnKeys(dialect.memberNames(names.map { Array($0.utf8) }))
        }
    }

    package mutating func take(_ bytes: UnsafeRawBufferPointer, into block: BlockBuilder) throws(DecodingFault) {
        try advance(bytes, isEnd: false, block)
    }

    package mutating func finish(into block: BlockBuilder) throws(DecodingFault) {
        try advance(UnsafeRawBufferPointer(start: nil, count: 0), isEnd: true, block)
        if isSentence, !hasRows {
            throw DecodingFault(
                .otherFormat,
                "it has a single line of words and no separator, so it is not a table",
                line: line - 1
            )
        }
        if isForeign, !hasRows {
            let columns = dialect.expected.map { "'\($0)'" }.joined(separator: ", ")
            let reason = "it has no row, and a header without any of the columns that the records need (\(columns))"
            throw DecodingFault(.otherFormat, reason, line: line - 1)
        }
    }

    private mutating func advance(
        _ piece: UnsafeRawBufferPointer,
        isEnd: Bool,
        _ block: BlockBuilder
    ) throws(DecodingFault) {
        try beginning.look(at: piece)
        var carried = carry
        carry = Carry()
        try carried.add(piece) { bytes, _ throws(DecodingFault) in
            if !isEnd, bytes.count < enough { return (0, 0) }
            (isBehind, enough) = (false, 0)
            var at = 0
            while true {
                let before = block.json.count
                guard let next = try rows(bytes, at, isEnd, block) else { break }
                try measure(next - at, block.json.count - before)
                if !knowsLineEnd, next > at, bytes[next - 1] == 0x0A || bytes[next - 1] == 0x0D {
                    scanner.endsAtCR = bytes[next - 1] == 0x0D
                    knowsLineEnd = true
                }
                at = next
                if block.isFull {
                    isBehind = at < bytes.count
                    return (at, 0)
                }
            }
            let rest = bytes.count - at
            if rest > limit { throw tooLong(UnsafeRawBufferPointer(rebasing: bytes[at...])) }
            if at == 0 { enough = min(rest * 2, limit + 1) }
            return (at, 0)
        }
        carry = carried
    }

    private mutating func measure(_ read: Int, _ written: Int) throws(DecodingFault) {
        taken += read
        given += written
        guard given > limit + Self.growth * taken else { return }
        let names = "the names of the columns are too long"
        throw DecodingFault(.overLimit, "its rows become more than \(Self.growth) times as large as the file: \(names)")
    }

    /// Takes the rows at an offset: as many as can be copied, or one that must be scanned; `nil` if that is incomplete.
    private mutating func rows(
        _ bytes: UnsafeRawBufferPointer,
        _ start: Int,
        _ isEnd: Bool,
        _ block: BlockBuilder
    ) throws(DecodingFault) -> Int? {
        // The first row is scanned in any case: it shows how lines end.
        guard hasRows, knowsLineEnd, let columns, let copier else { return try row(bytes, start, isEnd, block) }
        let (end, rows) = copier.copy(bytes, from: start, columns, block)
        line += rows
        return rows > 0 ? end : try row(bytes, start, isEnd, block)
    }

    /// Takes the row at an offset; `nil` if it is incomplete.
    private mutating func row(
        _ bytes: UnsafeRawBufferPointer,
        _ start: Int,
        _ isEnd: Bool,
        _ block: BlockBuilder
    ) throws(DecodingFault) -> Int? {
        guard start < bytes.count else { return nil }
        if skipped < dialect.skip { return skipLine(bytes, start, isEnd) }
        if isAtStart {
            switch separatorLine(bytes, start, isEnd) {
            case .notYet: return nil
            case .none: break
            case .separator(let separator, let end):
                scanner = RowScanner(dialect, separator: separator)
                copier = RowCopier(dialect, separator: separator, limit: limit)
                isAtStart = false
                line += 1
                return end
            }
            isAtStart = false
        }
        guard let columns else { return try header(bytes, start, isEnd) }
        let mark = block.json.count
        let row = scanner.scan(bytes, from: start, isEnd: isEnd, columns, block)
        hasRows = hasRows || row.isRecord
        switch row.end {
        case .incomplete:
            block.json.truncate(to: mark)
            return nil
        case .openQuote(let lines):
            block.json.truncate(to: mark)
            throw openQuote(line + lines)
        case .at(let end):
            let text = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            if row.fault != nil || text.count > limit { block.json.truncate(to: mark) }
            if text.count > limit { throw tooLong(text) }
            if let fault = row.fault {
                block.append(BrokenRecord(line: line, reason: fault, text.withoutLineEnd))
            } else if row.isRecord {
                block.countWritten()
            }
            line += row.lines
            return end
        }
    }

    private mutating func skipLine(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ isEnd: Bool) -> Int? {
        guard let end = scanner.endOfLine(bytes, from: start, isEnd: isEnd) else { return nil }
        skipped += 1
        line += 1
        return end
    }

    private mutating func header(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ isEnd: Bool) throws(DecodingFault)
        -> Int?
    {
        let (cells, row) = scanner.cells(bytes, from: start, isEnd: isEnd)
        switch row.end {
        case .incomplete: return nil
        case .openQuote(let lines): throw openQuote(line + lines)
        case .at(let end):
            if cells.count > Self.columnLimit {
                throw DecodingFault(.overLimit, "the file has more than \(Self.columnLimit) columns", line: line)
            }
            if cells.reduce(0, { $0 + $1.count }) > Self.headerLimit {
                let reason = "the names of the columns have more than \(Self.headerLimit) bytes"
                throw DecodingFault(.overLimit, reason, line: line)
            }
            // Without it there is no telling which cell is which.
            if let fault = row.fault, dialect.header == .firstRow {
                throw DecodingFault(.malformed, "the header cannot be read: \(fault)", line: line)
            }
            // Some headers are preceded by empty lines.
            let isBlank = cells.allSatisfy { $0.isEmpty } && cells.count == 1
            if dialect.header == .none {
                if isBlank {
                    line += row.lines
                    return end
                }
                columns = ColumnKeys((1...cells.count).map { String($0) })
                return start
            }
            if !isBlank {
                isSentence = cells.count == 1 && cells[0].contains(UInt8(ascii: " "))
                let names = dialect.memberNames(cells)
                isForeign = !dialect.expected.isEmpty && dialect.expected.allSatisfy { !names.contains($0) }
                columns = ColumnKeys(names)
            }
            line += row.lines
            return end
        }
    }

    private func openQuote(_ line: Int) -> DecodingFault {
        DecodingFault(.malformed, "the quote that begins in this line does not end", line: line)
    }

    /// A row over the limit is nearly always one whose quote does not end.
    private func tooLong(_ text: UnsafeRawBufferPointer) -> DecodingFault {
        let names = columns ?? ColumnKeys([])
        if case .openQuote(let lines) = scanner.scan(text, from: 0, isEnd: true, names, BlockBuilder()).end {
            return DecodingFault(
                .overLimit,
                "the quote that begins in this line does not end within \(limit) bytes, the limit of a record",
                line: line + lines
            )
        }
        return DecodingFault(.overLimit, "a record is longer than the limit of \(limit) bytes", line: line)
    }

    private enum SeparatorLine {
        case none
        case notYet
        case separator(UInt8, end: Int)
    }

    /// `sep=;`, as spreadsheets write it before the header.
    private func separatorLine(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ isEnd: Bool) -> SeparatorLine {
        let prefix = Array("sep=".utf8)
        let found = bytes[start...].prefix(4)
        guard prefix.starts(with: found) else { return .none }
        if found.count < 4 { return isEnd ? .none : .notYet }
        // Nothing can quote the separator itself, and a line end follows it.
        guard let end = scanner.endOfLine(bytes, from: start, isEnd: isEnd) else { return .notYet }
        let line = UnsafeRawBufferPointer(rebasing: bytes[start..<end]).withoutLineEnd
        return line.count == 5 ? .separator(line[4], end: end) : .none
    }
}

/// The column names, as the JSON before each value.
struct ColumnKeys: Sendable {
    /// `{"name":"` for the first, `,"name":"` for the others, one after another.
    let bytes: [UInt8]
    /// Where each begins, and the end.
    let starts: [Int]
    /// How many bytes past the last key may be read.
    private static let padding = 8

    init(_ names: [String]) {
        let json = JSONBytes(capacity: 1024)
        var starts = [0]
        for (at, name) in names.enumerated() {
            json.append(at == 0 ? "{" : ",")
            json.appendString(name)
            json.append(":\"")
            starts.append(json.count)
        }
        bytes = Array(json.bytes) + Array(repeating: 0, count: Self.padding)
        self.starts = starts
    }

    /// The keys and where each begins; a few bytes past the last key may be read.
    @inline(__always)
    func withUnsafeKeys<Result>(_ body: (UnsafeRawBufferPointer, UnsafeBufferPointer<Int>) -> Result) -> Result {
        bytes.withUnsafeBytes { keys in starts.withUnsafeBufferPointer { body(keys, $0) } }
    }

    var count: Int { starts.count - 1 }
}

extension UnsafeRawBufferPointer {
    /// Without the line end at its end.
    var withoutLineEnd: UnsafeRawBufferPointer {
        var end = count
        if end > 0, self[end - 1] == 0x0A { end -= 1 }
        if end > 0, self[end - 1] == 0x0D { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: self[..<end])
    }
}
