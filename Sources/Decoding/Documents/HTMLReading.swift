internal import CLibXML2

/// Collects the rows of a page's tables from libxml2's element events. A table inside a cell is a table of its own, and its
/// text is not part of the cell.
struct HTMLReading {
    private struct Table {
        var number: Int
        /// The texts of the rows that name the columns, already laid out in the table's columns.
        var heads: [[[UInt8]]] = []
        var names: [String] = []
        var grid = HTMLGrid()
        var links: [String] = []
        /// Whether a cell is open.
        var isInCell = false
        /// Whether a `thead` is open: its rows of headings name columns, as the table's first row does.
        var isInHead = false
        var hasRows = false
    }

    private static let depthLimit = 16
    private static let headLimit = 10
    /// How many times the size of the page its records may reach.
    private static let growth = 64

    private let limit: Int
    private var tables: [Table] = []
    private var count = 0
    /// How many open elements have text that is not displayed.
    private var hidden = 0
    /// The bytes of the row being read.
    private var size = 0
    /// How many bytes of the page were parsed, and how many its rows became: names and cells that span others are repeated.
    var taken = 0
    private var given = 0
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
        case "thead", "tbody", "tfoot": beginSection(isHead: name == "thead")
        case "tr":
            endRow()
            if let top = tables.indices.last { tables[top].grid.beginRow() }
        case "td", "th":
            guard let top = tables.indices.last else { return }
            let (columns, rows) = (Self.number("colspan", attributes), Self.number("rowspan", attributes))
            tables[top].grid.beginCell(columns: columns, rows: rows, isHeading: name == "th")
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
        case "thead", "tbody", "tfoot": beginSection(isHead: false)
        case "table":
            endRow()
            _ = tables.popLast()
        case "p", "div", "li": blank()
        default: break
        }
    }

    /// No cell reaches from one section of a table into the next.
    private mutating func beginSection(isHead: Bool) {
        endRow()
        guard let top = tables.indices.last else { return }
        tables[top].grid.endSection()
        tables[top].isInHead = isHead
    }

    mutating func add(_ text: UnsafeRawBufferPointer) {
        guard hidden == 0, let top = tables.indices.last, tables[top].isInCell else { return }
        size += text.count
        if size > limit {
            fault = DecodingFault(.overLimit, "a row is longer than the limit of \(limit) bytes")
            return
        }
        tables[top].grid.add(text)
    }

    private mutating func blank() { [UInt8(ascii: " ")].withUnsafeBytes { add($0) } }

    private mutating func link(_ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) {
        guard let top = tables.indices.last, tables[top].isInCell, let address = Self.value("href", attributes) else {
            return
        }
        size += address.utf8.count
        if tables[top].links.count < HTMLGrid.columnLimit { tables[top].links.append(address) }
    }

    private static func value(_ name: String, _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) -> String? {
        guard var at = attributes else { return nil }
        while let found = at[0] {
            if String(cString: found) == name { return at[1].map { String(cString: $0) } }
            at += 2
        }
        return nil
    }

    private static func number(_ name: String, _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?) -> Int? {
        value(name, attributes).flatMap { Int($0.drop(while: \.isWhitespace).prefix(while: \.isNumber)) }
    }

    /// Ends the row. A table's first row names its columns, as do further rows of headings in its head.
    private mutating func endRow() {
        guard let top = tables.indices.last else { return }
        let links = tables[top].links
        (tables[top].links, tables[top].isInCell, size) = ([], false, 0)
        let cells: [[UInt8]], isOfHeadings: Bool
        do throws(DecodingFault) {
            guard let row = try tables[top].grid.endRow(limit: limit) else { return }
            (cells, isOfHeadings) = row
        } catch {
            fault = fault ?? error
            return
        }
        let table = tables[top]
        if table.heads.isEmpty
            || (table.isInHead && !table.hasRows && isOfHeadings && table.heads.count < Self.headLimit)
        {
            tables[top].heads.append(cells)
            tables[top].names = Self.names(tables[top].heads)
            return
        }
        tables[top].hasRows = true
        guard let block, fault == nil, cells.contains(where: { !$0.isEmpty }) else { return }
        let before = block.json.count
        write(cells, links, of: tables[top], to: block)
        given += block.json.count - before
        if given > limit + Self.growth * taken {
            fault = DecodingFault(.overLimit, "its rows become more than \(Self.growth) times as large as the page")
        }
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

    /// Distinct names: an empty one becomes `column_3`, a second `id` becomes `id_2`. With several rows, a column's name is
    /// everything above it, each text once.
    private static func names(_ rows: [[[UInt8]]]) -> [String] {
        var names: [String] = []
        var taken: Set<String> = []
        for at in 0..<(rows.map(\.count).max() ?? 0) {
            var texts: [[UInt8]] = []
            for row in rows where at < row.count && !row[at].isEmpty && texts.last != row[at] { texts.append(row[at]) }
            let text = texts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
            let base = text.isEmpty ? "column_\(at + 1)" : text
            var (name, number) = (base, 1)
            while !taken.insert(name).inserted {
                number += 1
                name = "\(base)_\(number)"
            }
            names.append(name)
        }
        return names
    }
}
