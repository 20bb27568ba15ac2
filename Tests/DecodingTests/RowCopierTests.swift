import TestKit
import Testing

@testable import Decoding

/// Rows that are copied in words are the same as rows that are scanned byte by byte: in pieces of a few bytes, all are scanned.
struct RowCopierTests {
    private static let cells = [
        "", "1", "-12.50", "2026-11-21T06:00:00Z", "Livraria Central, Rua do Século", "say \"hi\"", "\"\"", "a\\b",
        "C:\\", "zwölf",
        "\u{1F600}\u{1F600}", "line\nbreak", "tab\there", " blank", "blank ", "'", ";", "\u{1}", "12345678",
        "1234567\"", "1234567,",
        String(repeating: "long ", count: 40),
    ]

    @Test("rows are the same, copied or scanned", arguments: 1...60)
    func rowsAreTheSame(_ seed: UInt64) throws {
        var numbers = SplitMix(state: seed &* 0x9E37_79B9_7F4A_7C15)
        let separator = [",", ";", "\t", " "].randomElement(using: &numbers) ?? ","
        let quote = ["\"", "\"", "'", nil].randomElement(using: &numbers) ?? nil
        let end = ["\n", "\r\n", "\r"].randomElement(using: &numbers) ?? "\n"
        let width = Int.random(in: 1...9, using: &numbers)
        var lines = [(0..<width).map { "column \($0)" }.map { $0.replacing(separator, with: "_") }]
        for _ in 0..<40 {
            // Now and then a row has another length.
            let count = Int.random(in: 0..<20, using: &numbers) == 0 ? Int.random(in: 1...12, using: &numbers) : width
            lines.append((0..<count).map { _ in cell(quote, separator, &numbers) })
        }
        let text = lines.map { $0.joined(separator: separator) }.joined(separator: end) + end
        let dialect = DelimitedDialect(
            separator: separator.utf8.first ?? 0x2C,
            quote: quote?.utf8.first,
            ragged: Bool.random(using: &numbers) ? .pad : .broken
        )
        do {
            let scanned = try Decoded(text.utf8, piece: 5, DelimitedText(dialect))
            let copied = try Decoded(text.utf8, piece: text.utf8.count, DelimitedText(dialect))
            #expect(scanned.broken == copied.broken)
            #expect(scanned.records.count == copied.records.count)
            for (scanned, copied) in zip(scanned.records, copied.records) { #expect(scanned == copied) }
        } catch let error as DecodingFault {
            // A quote that never ends: then both say so.
            #expect(Decoded.fault(text, DelimitedText(dialect)) == error)
        }
    }

    /// Mostly as a writer of such files would, and sometimes not.
    private func cell(_ quote: String?, _ separator: String, _ numbers: inout SplitMix) -> String {
        let cell = Self.cells.randomElement(using: &numbers) ?? ""
        guard let quote else { return cell.replacing("\n", with: " ").replacing(separator, with: "_") }
        let needsQuotes = cell.contains(quote) || cell.contains(separator) || cell.contains("\n")
        if Int.random(in: 0..<60, using: &numbers) == 0 { return cell }
        guard needsQuotes || Bool.random(using: &numbers) else { return cell }
        return quote + cell.replacing(quote, with: quote + quote) + quote
    }

    @Test("a row over the limit is a fault, and one below it is a record")
    func longRows() throws {
        let limits = DecodingLimits(record: 200)
        for length in 150...230 {
            let row = "1," + String(repeating: "x", count: length - 3) + "\n"
            let text = "a,b\n1,2\n" + row + "3,4\n" + String(repeating: "5,6\n", count: 10)
            let fault = Decoded.fault(text, DelimitedText(DelimitedDialect(), limits))
            #expect((fault == nil) == (length <= 200), "\(length)")
        }
    }
}
