internal import PlugCore

/// Reads one row of delimited text, cell by cell.
struct RowScanner: Sendable {
    /// Where a row ends.
    enum End: Equatable {
        /// After its line end.
        case at(Int)
        /// It continues in data that has not arrived yet.
        case incomplete
        /// The file ends inside a quote that begins this many lines further down.
        case openQuote(lines: Int)
    }

    /// The result of scanning a row.
    struct Row {
        var end: End
        /// How many lines it spans.
        var lines: Int
        /// What is wrong with it.
        var fault: String?
        /// Whether a record was written: empty rows are not records.
        var isRecord = false
    }

    private let separator: UInt8
    private let quote: UInt8?
    private let escape: UInt8?
    private let ragged: DelimitedDialect.Ragged
    /// Whether a CR without an LF ends a row. The first line end of a file decides.
    var endsAtCR = true
    /// What each byte means: 1 ends an unquoted cell, 2 needs an escape in JSON.
    private let meanings: [UInt8]

    init(_ dialect: DelimitedDialect, separator: UInt8? = nil) {
        self.separator = separator ?? dialect.separator
        quote = dialect.quote
        escape = dialect.escape
        ragged = dialect.ragged
        var meanings = (0...255).map { UInt8($0 < 0x20 || $0 == 0x22 || $0 == 0x5C ? 2 : 0) }
        for byte in [self.separator, 0x0A, 0x0D] { meanings[Int(byte)] |= 1 }
        self.meanings = meanings
    }

    /// Writes a row as an object, as the block's next record. Empty rows are left out.
    ///
    /// The caller counts the record, or discards what was written if the row is incomplete or has a fault.
    @inline(__always)
    func scan(
        _ bytes: UnsafeRawBufferPointer,
        from start: Int,
        isEnd: Bool,
        _ columns: ColumnKeys,
        _ block: BlockBuilder
    ) -> Row {
        let json = block.json
        if start < bytes.count, isLineEnd(bytes, start) {
            return Row(end: lineEnd(bytes, start, isEnd).map { .at($0) } ?? .incomplete, lines: 1)
        }
        json.append(block.count == 0 ? "[" : ",")
        var writer = RowWriter(json: json, columns: columns)
        var row = walk(bytes, start, isEnd, &writer)
        let column = writer.column
        guard case .at = row.end else { return row }
        if column > columns.count { json.append("]") }
        json.append("}")
        if row.fault == nil, column != columns.count, ragged == .broken {
            row.fault = "it has \(column.counted("cell")), and the file has \(columns.count.counted("column"))"
        }
        row.isRecord = row.fault == nil
        return row
    }

    /// The cells of a row, for a header.
    func cells(_ bytes: UnsafeRawBufferPointer, from start: Int, isEnd: Bool) -> (
        cells: [[UInt8]], row: Row
    ) {
        var collector = CellCollector()
        let row = walk(bytes, start, isEnd, &collector)
        return (collector.cells, row)
    }

    /// The offset after the next line end.
    func endOfLine(_ bytes: UnsafeRawBufferPointer, from start: Int, isEnd: Bool) -> Int? {
        var at = start
        while at < bytes.count, !isLineEnd(bytes, at) { at += 1 }
        return lineEnd(bytes, at, isEnd)
    }

    /// Whether a line ends here, or may end here if the LF after a CR is still to come.
    @inline(__always)
    private func isLineEnd(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> Bool {
        bytes[at] == 0x0A || (bytes[at] == 0x0D && !isText(bytes, at))
    }

    /// Whether a CR is an ordinary character.
    @inline(__always)
    private func isText(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> Bool {
        !endsAtCR && bytes[at] == 0x0D && at + 1 < bytes.count && bytes[at + 1] != 0x0A
    }

    /// The offset after the line end at `at`; `nil` if an LF may still belong to it.
    @inline(__always)
    private func lineEnd(_ bytes: UnsafeRawBufferPointer, _ at: Int, _ isEnd: Bool) -> Int? {
        guard at < bytes.count else { return isEnd ? at : nil }
        if bytes[at] == 0x0A { return at + 1 }
        guard at + 1 < bytes.count else { return isEnd ? at + 1 : nil }
        return bytes[at + 1] == 0x0A ? at + 2 : at + 1
    }

    /// Visits the parts of a row.
    @inline(__always)
    private func walk(
        _ bytes: UnsafeRawBufferPointer,
        _ start: Int,
        _ isEnd: Bool,
        _ visitor: inout some RowVisitor
    ) -> Row {
        meanings.withUnsafeBufferPointer { meanings in
            var at = start
            var lines = 1
            var fault: String?
            while true {
                // Some producers write a blank after each comma, even before a quote.
                if at < bytes.count, bytes[at] == 0x20, separator != 0x20 {
                    var next = at
                    while next < bytes.count, bytes[next] == 0x20 { next += 1 }
                    if next < bytes.count, bytes[next] == quote { at = next }
                }
                if at < bytes.count, bytes[at] == quote {
                    let opened = lines
                    guard let end = quoted(bytes, at + 1, &lines, &visitor) else {
                        return Row(end: isEnd ? .openQuote(lines: opened - 1) : .incomplete, lines: lines)
                    }
                    at = end
                    // A quote at the end of a piece may be the first of two.
                    if at == bytes.count, !isEnd { return Row(end: .incomplete, lines: lines) }
                    while at < bytes.count, bytes[at] == 0x20, separator != 0x20 { at += 1 }
                    if at < bytes.count, meanings[Int(bytes[at])] & 1 == 0 || isText(bytes, at) {
                        fault = "it has text after the quote that ends a cell"
                        while at < bytes.count, meanings[Int(bytes[at])] & 1 == 0 || isText(bytes, at) { at += 1 }
                    }
                } else {
                    let first = at
                    var met: UInt8 = 0
                    while at < bytes.count {
                        let meaning = meanings[Int(bytes[at])]
                        if meaning & 1 != 0, !isText(bytes, at) { break }
                        met |= meaning
                        at += 1
                    }
                    if at > first {
                        visitor.text(UnsafeRawBufferPointer(rebasing: bytes[first..<at]), isPlain: met == 0)
                    }
                }
                if at < bytes.count, bytes[at] == separator {
                    visitor.endCell()
                    at += 1
                    continue
                }
                guard let end = lineEnd(bytes, at, isEnd) else { return Row(end: .incomplete, lines: lines) }
                visitor.endCell()
                return Row(end: .at(end), lines: lines, fault: fault)
            }
        }
    }

    /// Visits the inside of a quoted cell; returns the offset after its closing quote, `nil` if there is none.
    @inline(__always)
    private func quoted(
        _ bytes: UnsafeRawBufferPointer,
        _ start: Int,
        _ lines: inout Int,
        _ visitor: inout some RowVisitor
    ) -> Int? {
        var first = start
        var at = start
        while at < bytes.count {
            let byte = bytes[at]
            if byte == quote {
                let isDoubled = at + 1 < bytes.count && bytes[at + 1] == quote
                let end = isDoubled ? at + 1 : at
                if end > first { visitor.text(UnsafeRawBufferPointer(rebasing: bytes[first..<end]), isPlain: false) }
                if !isDoubled { return at + 1 }
                at += 2
                first = at
                continue
            }
            if byte == escape {
                if at > first { visitor.text(UnsafeRawBufferPointer(rebasing: bytes[first..<at]), isPlain: false) }
                first = at + 1
                at += 2
                continue
            }
            if byte == 0x0A || (byte == 0x0D && !(at + 1 < bytes.count && bytes[at + 1] == 0x0A)) { lines += 1 }
            at += 1
        }
        return nil
    }
}
