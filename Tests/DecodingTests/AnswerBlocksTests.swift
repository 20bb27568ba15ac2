import LosslessJSON
import Testing

@testable import Decoding

/// How answers are cut into blocks, and what comes before a fault.
struct AnswerBlocksTests {
    private func read(_ bytes: [UInt8], _ format: RecordFormat, declared: String? = nil) async throws -> (
        records: [String], broken: [BrokenRecord], blocks: Int, replaced: Int
    ) {
        try await AnswerDecoderTests.read(bytes, format, declared: declared)
    }

    private func decoder(_ text: String, limits: DecodingLimits = DecodingLimits()) -> AnswerDecoder {
        let source = MemorySource(JSONBuffer(Array(text.utf8)))
        return AnswerDecoder(source, .delimited(DelimitedDialect()), limits: limits)
    }

    @Test func aBlockIsBoundedHoweverMuchAPieceComesTo() async throws {
        let rows = String(repeating: "1\n", count: 20_000)
        let decoder = decoder(
            "\(String(repeating: "n", count: 480))\n\(rows)",
            limits: DecodingLimits(blockRecords: 3000)
        )
        var (count, largest) = (0, 0)
        while let block = try await decoder.next() {
            count += block.count
            largest = max(largest, block.document?.byteCount ?? 0)
        }
        #expect(count == 20_000)
        #expect(largest < 2 << 20)
        #expect(try await read(Array("a\n\(rows)".utf8), .delimited(DelimitedDialect())).blocks == 20)
        #expect(try await read(Array(rows.utf8), .jsonLines).blocks == 20)
        #expect(try await read(Array(rows.utf8), .lines).blocks == 20)
        let items = String(repeating: "<i/>", count: 40_000)
        let xml = try await read(Array("<r>\(items)</r>".utf8), .xml(XMLOptions()))
        #expect(xml.records.count == 40_000)
        #expect(xml.blocks >= 9)
    }

    @Test func replacedTextIsCountedWhereverBlocksEnd() async throws {
        let rows = (0..<1000).map { _ in "x\n" }.joined()
        let all = try await read(Array("a\n\(rows)".utf8.dropLast(2)) + [0xFF, 0x0A], .delimited(DelimitedDialect()))
        #expect(all.records.count == 1000)
        #expect(all.replaced == 1)
        // Of rows that a fault follows, too.
        let decoder = AnswerDecoder(
            MemorySource(JSONBuffer([0x61, 0x0A, 0xFF, 0x0A, 0x22, 0x62])),
            .delimited(DelimitedDialect())
        )
        #expect(try await decoder.next()?.replaced == 1)
        await #expect(throws: DecodingFault.self) { try await decoder.next() }
    }

    @Test func brokenLinesNameTheirFiles() async throws {
        let archive = try DecompressorTests.python(
            "z=zipfile.ZipFile(b:=io.BytesIO(),'w')\nz.writestr('a.jsonl','{}\\nx\\n')\n"
                + "z.writestr('b.jsonl','{}\\n{}\\n{\\n')\nz.close()\nout.write(b.getvalue())"
        )
        let all = try await read(archive, .jsonLines)
        #expect(all.records == ["{}", "{}", "{}"])
        #expect(all.broken.map(\.file) == ["a.jsonl", "b.jsonl"])
        #expect(all.broken.map(\.line) == [2, 3])
    }

    @Test func whatStandsBeforeAFaultIsGivenAndTheFaultStays() async throws {
        let decoder = decoder("a\n1\n2\n\"3\n")
        let records = try await decoder.next()?.records.map { String(decoding: $0.slice, as: UTF8.self) }
        #expect(records == [#"{"a":"1"}"#, #"{"a":"2"}"#])
        let fault = DecodingFault(.malformed, "the quote that begins in this line does not end", line: 4)
        for _ in 0..<3 { await #expect(throws: fault) { try await decoder.next() } }
    }

    @Test func rowsBeforeTrailingRubbishAreGiven() async throws {
        // More than the encoding is told by, so that rows have been read when the rubbish comes.
        let bytes = try DecompressorTests.python("out.write(gzip.compress(b'a\\n'+b'1\\n'*900)+b'more')")
        let decoder = AnswerDecoder(MemorySource(JSONBuffer(bytes)), .delimited(DelimitedDialect()))
        #expect(try await decoder.next()?.count == 900)
        await #expect(throws: DecodingFault(.malformed, "there is something else after the compressed data")) {
            try await decoder.next()
        }
    }

    @Test func jsonIsUTF8WhateverAHeaderSays() async throws {
        let all = try await read(Array("{\"a\":\"ü\"}\n".utf8), .jsonLines, declared: "ISO-8859-1")
        #expect(all.records == [#"{"a":"ü"}"#])
    }

    @Test func aCancelledTaskIsInterrupted() async throws {
        let decoder = decoder("a\n1\n")
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await decoder.next()?.count
        }
        await #expect(throws: DecodingFault(.interrupted, "it was interrupted")) { try await task.value }
    }
}
