import LosslessJSON
import Testing

@testable import Decoding

struct ZipDirectoryTests {
    private typealias File = DecompressorTests.File

    private func files(_ program: String) throws -> [File] {
        try DecompressorTests.files(archive(program))
    }

    private func archive(_ program: String) throws -> [UInt8] {
        try DecompressorTests.python(
            "b=io.BytesIO()\nz=zipfile.ZipFile(b,'w')\n\(program)\nz.close()\nout.write(b.getvalue())"
        )
    }

    @Test func onlyWhatTheDirectoryHasIsRead() throws {
        // A file was replaced: its old rows are still there, before the directory.
        let replaced = """
            z.writestr('a.csv','old')
            z.close()
            z=zipfile.ZipFile(b,'a')
            z.filelist.clear()
            z.NameToInfo.clear()
            z.writestr('a.csv','new')
            """
        #expect(try files(replaced) == [File(name: "a.csv", text: "new")])
    }

    @Test func whatIsSkippedMayBeAnything() throws {
        let odd = "z.writestr('__MACOSX/x',b'x',zipfile.ZIP_LZMA)\nz.writestr('f/','')\nz.writestr('a','A')"
        #expect(try files(odd) == [File(name: "a", text: "A")])
    }

    @Test func sizesMayStandBehindTheData() throws {
        let streamed = try DecompressorTests.python(
            "z=zipfile.ZipFile(out,'w')\nz.writestr('f/','')\nz.writestr('a',b'A'*9)\nz.close()"
        )
        #expect(streamed[6] & 8 == 8)
        #expect(try DecompressorTests.files(streamed) == [File(name: "a", text: "AAAAAAAAA")])
    }

    @Test func aCommentMayLookLikeTheEnd() throws {
        #expect(try files("z.writestr('a','A')\nz.comment=b'PK\\x05\\x06'*9") == [File(name: "a", text: "A")])
    }

    @Test(
        arguments: [
            (4, [5, 0], "the archive has several parts"), (6, [1, 0], "the archive has several parts"),
            (8, [1, 0, 2, 0], "the archive has several parts"),
            (8, [1, 0, 1, 0], "the archive lists other files than the 1 that its end counts"),
            (8, [3, 0, 3, 0], "the archive is broken"),
        ] as [(Int, [UInt8], String)]
    )
    func theDirectoryHasWhatItsEndCounts(_ place: Int, _ value: [UInt8], _ reason: String) throws {
        var bytes = try archive("z.writestr('a','A')\nz.writestr('b','B')")
        bytes.replaceSubrange(bytes.count - 22 + place..<bytes.count - 22 + place + value.count, with: value)
        #expect(DecompressorTests.fault(bytes)?.reason == reason)
    }

    @Test func filesAreListed() throws {
        let bytes = try archive("z.writestr('a.json','A')\nz.writestr('f/','')\nz.writestr('b.html','B')")
        #expect(try ZipDirectory.names(in: MemorySource(JSONBuffer(bytes))) == ["a.json", "b.html"])
        #expect(try ZipDirectory.names(in: MemorySource(JSONBuffer(Array("{}".utf8)))) == nil)
    }

    @Test func namesAreShownWithoutControlCharactersAndCutShort() throws {
        #expect(
            try files("z.writestr('a\\x07'+'b'*900,'A')").map(\.name)
                == ["a\u{FFFD}" + String(repeating: "b", count: 298)]
        )
    }

    @Test(arguments: ["'[Content_Types].xml','x'", "'mimetype','application/vnd.oasis.opendocument.spreadsheet'"])
    func aDocumentOfAnOfficeProgramIsNoArchive(_ first: String) throws {
        let document = try archive("z.writestr(\(first))\nz.writestr('a.xml','<a/>')")
        let reason = "it is a document of an office program (XLSX, ODS or the like), not an archive of text files"
        #expect(DecompressorTests.fault(document) == DecodingFault(.otherFormat, reason))
    }

    @Test func archivesOfManyFilesAreRefused() throws {
        let many = try archive("for i in range(10001): z.writestr('%d/'%i,'')")
        #expect(
            DecompressorTests.fault(many) == DecodingFault(.overLimit, "the archive has more than 10000 files")
        )
    }
}
