import Foundation
import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import Decoding

/// Answers that lie in a file.
struct FileSourceTests {
    private static func source(_ bytes: [UInt8], count: Int? = nil) throws -> FileSource {
        let space = try ScratchSpace()
        defer { space.remove() }
        let file = try ScratchFile(in: space.path)
        try file.write(bytes, at: 0)
        return FileSource(file, count: count ?? bytes.count)
    }

    private static func text(_ source: any ByteSource) throws -> String {
        let decompressor = Decompressor(source)
        var content: [UInt8] = []
        while true {
            switch try decompressor.next() {
            case .bytes(let bytes): content += bytes
            case .fileStart, .fileEnd: break
            case .end: return String(decoding: content, as: UTF8.self)
            }
        }
    }

    /// Of more than is read at a time.
    private static let long = (0..<40_000).map { "row \($0 * 7919 % 10007)\n" }.joined()

    @Test("text, gzip and a zip archive, whose directory is at its end, are read from a file as from memory")
    func formats() throws {
        let program = "text=''.join('row %d\\n' % (i*7919%10007) for i in range(40000)).encode()\n"
        let archive = """
            z=zipfile.ZipFile(out,'w',zipfile.ZIP_STORED)
            z.writestr('a',text[:200000])
            z.writestr('b',text[200000:],zipfile.ZIP_DEFLATED)
            z.close()
            """
        let forms = [
            Array(Self.long.utf8), try DecompressorTests.python(program + "out.write(gzip.compress(text))"),
            try DecompressorTests.python(program + archive),
        ]
        for form in forms {
            #expect(form.count > ByteInput.size)
            #expect(try Self.text(Self.source(form)) == Self.long)
        }
        #expect(try Self.text(Self.source([])) == "")
        // A gzip file that is cut in the middle.
        let fault = #expect(throws: DecodingFault.self) { try Self.text(Self.source(Array(forms[1].dropLast(9)))) }
        #expect(fault == DecodingFault(.malformed, "the compressed data ends too soon"))
    }

    @Test func whatTheDiskDoesNotGiveBackIsNoFaultOfTheAnswer() async throws {
        let bytes = Array(Self.long.utf8)
        let decoder = AnswerDecoder(try Self.source(bytes, count: bytes.count + 1), .lines)
        var fault: DecodingFault?
        do throws(DecodingFault) { while try await decoder.next() != nil {} } catch { fault = error }
        #expect(fault == DecodingFault(.unreadable, "Input/output error"))
    }
}
