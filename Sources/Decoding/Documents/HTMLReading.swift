internal import CLibXML2

/// Collects the rows of a page's tables, as libxml2 tells of its elements. A table inside of a cell is a table of its own, and its
/// text is no part of the cell.
struct HTMLReading {
    private struct Table {
        var number: Int
        var names: [String] = []
        var cells: [[UInt8]] = []
        var links: [String] = []
        /// Whether a cell is open, and whether all cells of the row are headings.
        var isInCell = false
    }

    private static let depthLimit = 16
    private static let columnLimit = 1000

    private let limit: Int
    private var tables: [Table] = []
    private var count = 0
    /// In how many elements it is whose text nobody sees.
    private var hidden = 0
    /// The bytes of the row that is read.
    private var size = 0
    var block: BlockBuilder?
    private(set) var fault: DecodingFault?

    init(limit: Int) { self.limit = limit }

    /// - Parameter attributes: Names and values in turn, then `NULL`; they belong to libxml2 and are copied at once.
    mutating func start(_ name: String, _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) {
        switch name {
        case "script", "style": hidden += 1
        case "table":
            count += 1
            if tables.count >= Self.depthLimit {
                fault = DecodingFault(.overLimit, "tables are nested more than \(Self.depthLimit) deep")
            } else {
                tables.append(Table(number: count))
            }
        case "tr": endRow()
        case "td", "th":
            guard !tables.isEmpty else { return }
            let top = tables.count - 1
            if tables[top].cells.count >= Self.columnLimit {
                fault = DecodingFault(.overLimit, "a row has more than \(Self.columnLimit) cells")
                return
            }
            tables[top].cells.append([])
            tables[top].isInCell = true
        case "br", "p", "div", "li": blank()
        case "a": link(attributes)
        default: break
        }
    }

    mutating func end(_ name: String) {
        switch name {
        case "script", "style": hidden = max(0, hidden - 1)
        case "tr": endRow()
        case "td", "th": if !tables.isEmpty { tables[tables.count - 1].isInCell = false }
        case "table":
            endRow()
            _ = tables.popLast()
        case "p", "div", "li": blank()
        default: break
        }
    }

    mutating func add(_ text: UnsafeRawBufferPointer) {
        guard hidden == 0, let top = tables.indices.last, tables[top].isInCell else { return }
        size += text.count
        if size > limit {
            fault = DecodingFault(.overLimit, "a row is longer than the limit of \(limit) bytes")
            return
        }
        tables[top].cells[tables[top].cells.count - 1] += text
    }

    private mutating func blank() { [UInt8(ascii: " ")].withUnsafeBytes { add($0) } }

    private mutating func link(_ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) {
        guard let top = tables.indices.last, tables[top].isInCell, var at = attributes else { return }
        while let name = at[0] {
            if String(cString: name) == "href", let value = at[1] {
                let address = String(cString: value)
                size += address.utf8.count
                if tables[top].links.count < Self.columnLimit { tables[top].links.append(address) }
            }
            at += 2
        }
    }

    /// Ends the row: the first one of a table names its columns.
    private mutating func endRow() {
        guard let top = tables.indices.last, !tables[top].cells.isEmpty else { return }
        let cells = tables[top].cells.map(Self.collapsed)
        let links = tables[top].links
        (tables[top].cells, tables[top].links, tables[top].isInCell, size) = ([], [], false, 0)
        guard !tables[top].names.isEmpty else {
            tables[top].names = Self.names(cells)
            return
        }
        guard let block, fault == nil, cells.contains(where: { !$0.isEmpty }) else { return }
        write(cells, links, of: tables[top], to: block)
    }

    private func write(_ cells: [[UInt8]], _ links: [String], of table: Table, to block: BlockBuilder) {
        block.begin()
        let json = block.json
        json.append("{")
        for (at, name) in table.names.enumerated() {
            json.appendString(name)
            json.append(":")
            json.appendString(at < cells.count ? cells[at] : [])
            json.append(",")
        }
        if cells.count > table.names.count {
            json.append(#""_more":["#)
            for (at, cell) in cells[table.names.count...].enumerated() {
                if at > 0 { json.append(",") }
                json.appendString(cell)
            }
            json.append("],")
        }
        json.append(#""_table":"#)
        json.append(table.number)
        json.append(#","_links":["#)
        for (at, link) in links.enumerated() {
            if at > 0 { json.append(",") }
            json.appendString(link)
        }
        json.append("]}")
    }

    /// Names that differ: an empty one becomes `column_3`, a second `id` becomes `id_2`.
    private static func names(_ cells: [[UInt8]]) -> [String] {
        var names: [String] = []
        for (at, cell) in cells.enumerated() {
            let base = cell.isEmpty ? "column_\(at + 1)" : String(decoding: cell, as: UTF8.self)
            var (name, number) = (base, 1)
            while names.contains(name) {
                number += 1
                name = "\(base)_\(number)"
            }
            names.append(name)
        }
        return names
    }

    /// A text as a browser shows it: one blank where there are several.
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
