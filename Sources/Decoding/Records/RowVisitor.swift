/// Receives the cells of a row.
protocol RowVisitor {
    /// A piece of a cell: it may have several, if quotes are doubled.
    ///
    /// - Parameter isPlain: Whether nothing in it needs an escape in JSON.
    mutating func text(_ text: UnsafeRawBufferPointer, isPlain: Bool)
    /// The cell is complete.
    mutating func endCell()
}

/// Writes a row as an object, without its end.
struct RowWriter: RowVisitor {
    let json: JSONBytes
    let columns: ColumnKeys
    /// How many cells are complete.
    private(set) var column = 0
    private var isOpen = false

    init(json: JSONBytes, columns: ColumnKeys) { (self.json, self.columns) = (json, columns) }

    @inline(__always)
    mutating func text(_ text: UnsafeRawBufferPointer, isPlain: Bool) {
        open()
        if isPlain { json.append(text) } else { json.appendEscaped(text) }
    }

    @inline(__always)
    mutating func endCell() {
        open()
        json.append(UInt8(ascii: "\""))
        isOpen = false
        column += 1
    }

    @inline(__always)
    private mutating func open() {
        if isOpen { return }
        isOpen = true
        if column < columns.count {
            columns.bytes.withUnsafeBytes {
                json.append(UnsafeRawBufferPointer(rebasing: $0[columns.starts[column]..<columns.starts[column + 1]]))
            }
        } else if column == columns.count {
            json.append(columns.count == 0 ? "{\"_more\":[\"" : ",\"_more\":[\"")
        } else {
            json.append(",\"")
        }
    }
}

/// Collects the cells of a header.
struct CellCollector: RowVisitor {
    private(set) var cells: [[UInt8]] = []
    private var cell: [UInt8] = []

    mutating func text(_ text: UnsafeRawBufferPointer, isPlain: Bool) { cell += text }

    mutating func endCell() {
        cells.append(cell)
        cell = []
    }
}
