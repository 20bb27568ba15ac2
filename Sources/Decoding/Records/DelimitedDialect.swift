/// How a file of delimited text is written: RFC 4180 by default, and the deviations of real files.
package struct DelimitedDialect: Sendable, Equatable {
    /// Where the names of the columns come from.
    package enum Header: Sendable, Equatable {
        /// From the first row.
        case firstRow
        /// There are none: columns are named by their numbers, from "1".
        case none
        /// They are given; the first row is a record.
        case names([String])
    }

    /// What becomes of a row that has more or fewer cells than there are columns.
    package enum Ragged: String, Sendable, CaseIterable {
        /// It is a broken record.
        case broken
        /// Members that have no cell are left out; extra cells become the list `_more`.
        case pad
    }

    /// The separator between cells.
    package var separator: UInt8
    /// The quote around cells, `nil` if none has a meaning.
    package var quote: UInt8?
    /// The byte that escapes the next one inside quotes, in addition to a doubled quote.
    package var escape: UInt8?
    /// Where the names come from.
    package var header: Header
    /// How many lines precede the header.
    package var skip: Int
    /// What becomes of rows of a different length.
    package var ragged: Ragged
    /// Columns that the records need: a header with none of them, and without a row, is a message, not a table.
    package var expected: [String] = []

    /// A dialect.
    package init(
        separator: UInt8 = UInt8(ascii: ","),
        quote: UInt8? = UInt8(ascii: "\""),
        escape: UInt8? = nil,
        header: Header = .firstRow,
        skip: Int = 0,
        ragged: Ragged = .broken
    ) {
        self.separator = separator
        self.quote = quote
        self.escape = escape
        self.header = header
        self.skip = skip
        self.ragged = ragged
    }

    /// Tabs between cells. Quotes have their meaning here too: spreadsheets write them.
    package static let tabs = DelimitedDialect(separator: 0x09)

    /// The names as members of a record may have them: without surrounding blanks, an empty one by its number, a repeated one
    /// followed by its count.
    func memberNames(_ names: [[UInt8]]) -> [String] {
        let trimmed = names.map { name in name.withUnsafeBytes { String(decoding: $0.trimmed, as: UTF8.self) } }
        let written = Set(trimmed)
        // The name reserved for extra cells.
        var taken: Set<String> = ragged == .pad ? ["_more"] : []
        // The count that a name was given last: a file may have thousands of columns of one name.
        var counts: [String: Int] = [:]
        return trimmed.enumerated().map { at, name in
            let wanted = name.isEmpty ? "column_\(at + 1)" : name
            var unique = wanted
            var count = counts[wanted] ?? 2
            // A name that another column really has is left to that column.
            while taken.contains(unique) || (unique != name && written.contains(unique)) {
                unique = "\(wanted)_\(count)"
                count += 1
            }
            counts[wanted] = count
            taken.insert(unique)
            return unique
        }
    }
}
