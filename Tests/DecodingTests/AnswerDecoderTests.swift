import LosslessJSON
import Testing

@testable import Decoding

struct AnswerDecoderTests {
    /// Everything that an answer gives, and how many blocks it came in.
    static func read(
        _ bytes: [UInt8],
        _ format: RecordFormat,
        declared: String? = nil,
        limits: DecodingLimits = DecodingLimits()
    ) async throws -> (records: [String], broken: [BrokenRecord], blocks: Int, replaced: Int) {
        let source = MemorySource(JSONBuffer(bytes))
        let decoder = AnswerDecoder(source, format, declared: declared, limits: limits)
        var result = (records: [String](), broken: [BrokenRecord](), blocks: 0, replaced: 0)
        while let block = try await decoder.next() {
            let records = block.records.map { String(decoding: $0.slice, as: UTF8.self) }
            #expect(records.count == block.count)
            result.records += records
            result.broken += block.broken
            result.replaced += block.replaced
            result.blocks += 1
        }
        return result
    }

    @Test func anAnswerComesInBlocks() async throws {
        let rows = (0..<20_000).map { "\($0),some text\r\n" }.joined()
        let limits = DecodingLimits(blockRecords: 100)
        let all = try await Self.read(Array("id,text\r\n\(rows)".utf8), .delimited(DelimitedDialect()), limits: limits)
        #expect(all.records == (0..<20_000).map { #"{"id":"\#($0)","text":"some text"}"# })
        #expect(all.blocks > 3)
    }

    @Test func filesOfAnArchiveBeginAnew() async throws {
        let archive = try DecompressorTests.python(
            "z=zipfile.ZipFile(b:=io.BytesIO(),'w')\nz.writestr('a.csv','id\\n1\\n')\n"
                + "z.writestr('b.csv','\\ufeffname,id\\nx,2\\ny\\n')\nz.close()\nout.write(b.getvalue())"
        )
        let all = try await Self.read(archive, .delimited(DelimitedDialect()))
        #expect(all.records == [#"{"id":"1"}"#, #"{"name":"x","id":"2"}"#])
        #expect(all.broken.map(\.file) == ["b.csv"])
        #expect(all.broken.map(\.line) == [3])
        await #expect(throws: DecodingFault.self) {
            try await Self.read(archive.dropLast(archive.count - 60), .delimited(DelimitedDialect()))
        }
    }

    @Test func replacedTextIsCounted() async throws {
        let all = try await Self.read(Array("a\n".utf8) + [0xFF] + Array("\n".utf8), .delimited(DelimitedDialect()))
        #expect(all.records == ["{\"a\":\"\u{FFFD}\"}"])
        #expect(all.replaced == 1)
    }

    @Test func anEmptyAnswerHasNoBlock() async throws {
        #expect(try await Self.read([], .jsonLines).blocks == 0)
    }
}
