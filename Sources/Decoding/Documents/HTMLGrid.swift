/// The columns of a table's rows: a cell that spans several columns or rows counts in each of them, as displayed.
struct HTMLGrid {
    static let columnLimit = 1000
    /// HTML's own limit on `rowspan`.
    private static let rowLimit = 65_534

    private struct Cell {
        var text: [UInt8] = []
        var columns: Int
        var rows: Int
        var isHeading: Bool
    }

    /// A text from a row above.
    private struct Reaching {
        var text: [UInt8]
        /// How many rows it reaches into, counting this one.
        var rows: Int
    }

    /// The row's own cells, as written.
    private var cells: [Cell] = []
    /// By column, the cells that reach into this row.
    private var reaching: [Reaching?] = []
    private var isInRow = false

    mutating func beginRow() { isInRow = true }

    /// Begins a cell.
    ///
    /// - Parameter rows: How many rows it spans; 0 means all that follow in the section.
    mutating func beginCell(columns: Int?, rows: Int?, isHeading: Bool) {
        isInRow = true
        // One more than the limit is enough to be detected.
        guard cells.count <= Self.columnLimit else { return }
        let columns = min(max(1, columns ?? 1), Self.columnLimit)
        let rows = rows == 0 ? Self.rowLimit : min(max(1, rows ?? 1), Self.rowLimit)
        cells.append(Cell(columns: columns, rows: rows, isHeading: isHeading))
    }

    /// Adds to the text of the cell begun last.
    mutating func add(_ text: UnsafeRawBufferPointer) { cells[cells.count - 1].text += text }

    /// Ends a section of the table: no cell reaches past it.
    mutating func endSection() { reaching = [] }

    /// The texts of the row, one for each column, and whether all of its own cells are headings.
    ///
    /// - Parameter limit: How many bytes they may have, each text counted in each of its columns.
    /// - Returns: `nil` if there was no row, or it has no cell of its own.
    mutating func endRow(limit: Int) throws(DecodingFault) -> (texts: [[UInt8]], isOfHeadings: Bool)? {
        guard isInRow else { return nil }
        defer { (cells, isInRow) = ([], false) }
        var row = Row(limit: limit)
        for cell in cells {
            while row.texts.count < reaching.count, let above = reaching[row.texts.count] { try row.append(above) }
            let text = Reaching(text: Self.collapsed(cell.text), rows: cell.rows)
            for _ in 0..<cell.columns { try row.append(text) }
        }
        // Those further right; the columns between the row's end and them are empty.
        while row.texts.count < reaching.count {
            try row.append(reaching[row.texts.count] ?? Reaching(text: [], rows: 1))
        }
        reaching = row.reaching
        return cells.isEmpty ? nil : (row.texts, cells.allSatisfy(\.isHeading))
    }

    /// A row being assembled.
    private struct Row {
        let limit: Int
        var texts: [[UInt8]] = []
        /// By column, the cells that reach into the next row.
        var reaching: [Reaching?] = []
        private var size = 0

        init(limit: Int) { self.limit = limit }

        mutating func append(_ cell: Reaching) throws(DecodingFault) {
            size += cell.text.count
            guard texts.count < HTMLGrid.columnLimit else {
                throw DecodingFault(.overLimit, "a row has more than \(HTMLGrid.columnLimit) cells")
            }
            guard size <= limit else {
                throw DecodingFault(.overLimit, "a row is longer than the limit of \(limit) bytes")
            }
            texts.append(cell.text)
            guard cell.rows > 1 else { return }
            while reaching.count < texts.count - 1 { reaching.append(nil) }
            reaching.append(Reaching(text: cell.text, rows: cell.rows - 1))
        }
    }

    /// A text as a browser shows it, with runs of blanks collapsed.
    private static func collapsed(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var isBlank = true
        for byte in text {
            let blank = byte == 0x20 || (0x09...0x0D).contains(byte)
            if blank, isBlank { continue }
            result.append(blank ? 0x20 : byte)
            isBlank = blank
        }
        if result.last == 0x20 { result.removeLast() }
        return result
    }
}
