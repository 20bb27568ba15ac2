import Foundation
import LosslessJSON
import Testing

@testable import Decoding

struct DecompressorTests {
    /// Gives so many bytes at a time.
    struct Drops: ByteSource {
        var bytes: [UInt8]
        var size: Int
        var at = 0

        var count: Int? { bytes.count }

        mutating func seek(to offset: Int) { at = offset }

        mutating func read(into memory: UnsafeMutableRawBufferPointer) -> Int {
            let count = min(size, memory.count, bytes.count - at)
            memory.copyBytes(from: bytes[at..<(at + count)])
            at += count
            return count
        }
    }

    struct File: Equatable {
        var name: String?
        var text: String
    }

    static func files(_ bytes: [UInt8], size: Int, _ limits: DecodingLimits = DecodingLimits()) throws -> [File] {
        let decompressor = Decompressor(Drops(bytes: bytes, size: size), limits)
        var files: [File] = []
        var (name, content): (String?, [UInt8]) = (nil, [])
        while true {
            switch try decompressor.next() {
            case .fileStart(let start): name = start
            case .bytes(let bytes): content += bytes
            case .fileEnd:
                files.append(File(name: name, text: String(decoding: content, as: UTF8.self)))
                (name, content) = (nil, [])
            case .end: return files
            }
        }
    }

    static func files(_ bytes: [UInt8]) throws -> [File] {
        let whole = try files(bytes, size: .max)
        for size in [1, 3, 1000] { #expect(try files(bytes, size: size) == whole) }
        return whole
    }

    static func fault(_ bytes: [UInt8], _ limits: DecodingLimits = DecodingLimits()) -> DecodingFault? {
        do { _ = try files(bytes, size: 1000, limits) } catch { return error as? DecodingFault }
        return nil
    }

    /// Python's own writers make the archives.
    static func python(_ program: String) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c", "import sys,io,gzip,zlib,zipfile,zlib\nout=sys.stdout.buffer\n" + program,
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return Array(data)
    }

    static let text = (0..<5000).map { "row \($0 * 7919 % 10007)\n" }.joined()
    private static let source = "text=''.join('row %d\\n' % (i*7919%10007) for i in range(5000)).encode()\n"

    @Test func gzipZlibAndPlainAreTold() throws {
        let expected = [File(text: Self.text)]
        #expect(try Self.files(Array(Self.text.utf8)) == expected)
        #expect(try Self.files(Self.python(Self.source + "out.write(gzip.compress(text))")) == expected)
        #expect(try Self.files(Self.python(Self.source + "out.write(zlib.compress(text))")) == expected)
        #expect(try Self.files([]) == [File(text: "")])
        #expect(try Self.files(Array("x".utf8)) == [File(text: "x")])
    }

    @Test func membersOfAGzipFileFollowOneAnother() throws {
        let program =
            Self.source
            + "out.write(gzip.compress(text[:1000])+gzip.compress(b'')+gzip.compress(text[1000:])+bytes(512))"
        #expect(try Self.files(Self.python(program)) == [File(text: Self.text)])
        #expect(
            Self.fault(try Self.python(Self.source + "out.write(gzip.compress(text)+b'more')"))
                == DecodingFault(.malformed, "there is something else after the compressed data")
        )
    }

    @Test func zstdIsTold() throws {
        // Two frames of `zstd`: "hello " and "world\n", with a skippable one between them.
        let frames: [UInt8] =
            [0x28, 0xB5, 0x2F, 0xFD, 0x20, 0x06, 0x31, 0x00, 0x00] + Array("hello ".utf8)
            + [0x50, 0x2A, 0x4D, 0x18, 0x03, 0x00, 0x00, 0x00, 1, 2, 3]
            + [0x28, 0xB5, 0x2F, 0xFD, 0x20, 0x06, 0x31, 0x00, 0x00] + Array("world\n".utf8)
        #expect(try Self.files(frames) == [File(text: "hello world\n")])
        #expect(Self.fault(frames.dropLast(3)) == DecodingFault(.malformed, "the compressed data ends too soon"))
    }

    @Test func anArchiveGivesItsFiles() throws {
        let program =
            Self.source + """
                z=zipfile.ZipFile(out,'w',zipfile.ZIP_DEFLATED)
                z.writestr('a.csv',text)
                z.writestr('folder/','')
                z.writestr('__MACOSX/._a.csv',b'rubbish')
                z.writestr('empty',b'')
                z.writestr('folder/stored.txt',b'stored',zipfile.ZIP_STORED)
                z.close()
                """
        let expected = [
            File(name: "a.csv", text: Self.text), File(name: "empty", text: ""),
            File(name: "folder/stored.txt", text: "stored"),
        ]
        // Written to a pipe Python cannot go back, and puts sizes behind the data; to memory it puts them before it.
        let memory = program.replacing("zipfile.ZipFile(out,", with: "zipfile.ZipFile(b:=io.BytesIO(),")
        #expect(try Self.files(Self.python(memory + "\nout.write(b.getvalue())")) == expected)
        #expect(try Self.files(Self.python(program)) == expected)
        // Sizes of 64 bits, before and behind.
        let large =
            "z=zipfile.ZipFile(b:=io.BytesIO(),'w',zipfile.ZIP_DEFLATED)\nf=z.open('x','w',force_zip64=True)\n"
            + "f.write(b'large')\nf.close()\nz.close()\nout.write(b.getvalue())"
        #expect(try Self.files(Self.python(large)) == [File(name: "x", text: "large")])
        let largeBehind =
            "z=zipfile.ZipFile(out,'w',zipfile.ZIP_DEFLATED)\nf=z.open('x','w',force_zip64=True)\n"
            + "f.write(b'large')\nf.close()\nz.close()"
        #expect(try Self.files(Self.python(largeBehind)) == [File(name: "x", text: "large")])
        #expect(try Self.files(Self.python("zipfile.ZipFile(out,'w').close()")) == [])
    }

    @Test(arguments: [1, 2, 5, 6, 9]) func zlibIsToldAtEachLevel(_ level: Int) throws {
        let bytes = try Self.python(Self.source + "out.write(zlib.compress(text,\(level)))")
        #expect(try Self.files(bytes) == [File(text: Self.text)])
        // A text that begins as the header of low levels does.
        #expect(try Self.files(Array("x^2,y\n1,2\n".utf8)) == [File(text: "x^2,y\n1,2\n")])
    }

    @Test func zerosBehindAFrameOfZstdArePadding() throws {
        let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x20, 0x06, 0x31, 0x00, 0x00] + Array("hello ".utf8)
        #expect(try Self.files(frame + [UInt8](repeating: 0, count: 99)) == [File(text: "hello ")])
    }

    /// As exports do that are made of log files.
    @Test("files of gzip inside an archive are unpacked, and one that breaks off names its file")
    func gzipInsideAnArchive() throws {
        let write =
            "o=io.BytesIO()\nz=zipfile.ZipFile(o,'w',zipfile.ZIP_DEFLATED)\n"
            + "z.writestr('a.gz',gzip.compress(text)+gzip.compress(b'more')+bytes(9))\n"
            + "z.writestr('b.gz',gzip.compress(b'')+gzip.compress(text*9))\n"
            + "z.writestr('c',b'plain')\nz.writestr('d',b'\\x1f')\nz.close()\nout.write(o.getvalue())"
        #expect(
            try Self.files(Self.python(Self.source + write)) == [
                File(name: "a.gz", text: Self.text + "more"),
                File(name: "b.gz", text: String(repeating: Self.text, count: 9)), File(name: "c", text: "plain"),
                File(name: "d", text: "\u{1F}"),
            ]
        )
        var fault = DecodingFault(.malformed, "the compressed data ends too soon")
        fault.file = "a.gz"
        let cut = "z.writestr('a.gz',gzip.compress(text)[:-9])\nz.close()\nout.write(o.getvalue())"
        let archive = "o=io.BytesIO()\nz=zipfile.ZipFile(o,'w')\n"
        #expect(Self.fault(try Self.python(Self.source + archive + cut)) == fault)
        // Compressed once more, it is not.
        let twice = "z.writestr('a.gz',gzip.compress(gzip.compress(text)))\nz.close()\nout.write(o.getvalue())"
        fault = DecodingFault(.refused, "a file in the archive is itself an archive or compressed")
        fault.file = "a.gz"
        #expect(Self.fault(try Self.python(Self.source + archive + twice)) == fault)
    }

    @Test func whatIsCompressedTwiceIsRefused() throws {
        let inner = "i=io.BytesIO()\nz=zipfile.ZipFile(i,'w')\nz.writestr('a',b'a')\nz.close()\n"
        let twice =
            inner
            + "o=io.BytesIO()\nz=zipfile.ZipFile(o,'w')\nz.writestr('in.zip',i.getvalue())\nz.close()\nout.write(o.getvalue())"
        var fault = DecodingFault(.refused, "a file in the archive is itself an archive or compressed")
        fault.file = "in.zip"
        #expect(Self.fault(try Self.python(twice)) == fault)
        #expect(
            Self.fault(try Self.python(inner + "out.write(gzip.compress(i.getvalue()))"))
                == DecodingFault(.refused, "the answer is compressed twice")
        )
    }

    @Test func whatCannotBeReadSaysWhy() throws {
        let archive = try Self.python(
            "z=zipfile.ZipFile(b:=io.BytesIO(),'w',zipfile.ZIP_DEFLATED)\nz.writestr('a.csv',b'1,2,3,4'*99)\nz.close()\n"
                + "out.write(b.getvalue())"
        )
        func reason(_ change: (inout [UInt8]) -> Void) -> String? {
            var bytes = archive
            change(&bytes)
            let fault = Self.fault(bytes)
            return fault.map { "\($0.kind) \($0.file ?? "-"): \($0.reason)" }
        }
        let directory = try #require(archive.firstRange(of: [0x50, 0x4B, 1, 2])?.lowerBound)
        #expect(reason { $0[directory + 8] |= 1 } == "refused a.csv: a file in the archive is encrypted")
        #expect(
            reason { $0[directory + 10] = 14 }
                == "refused a.csv: a file in the archive is compressed by a method that is not supported (14)"
        )
        #expect(
            reason { $0[directory + 16] ^= 1 } == "malformed a.csv: a file in the archive does not match its checksum"
        )
        #expect(
            reason { $0[directory + 42] = 1 } == "malformed a.csv: a file in the archive is not where the archive says"
        )
        #expect(reason { $0[directory + 45] = 0x7F } == "malformed -: the archive is broken")
        #expect(reason { $0.removeSubrange(40...) } == "malformed -: the compressed data ends too soon")
        #expect(reason { $0.removeSubrange(20...) } == "malformed -: the compressed data ends too soon")
        #expect(reason { $0[40] ^= 0xFF } != nil)
        #expect(
            Self.fault(Array(try Self.python("out.write(gzip.compress(b'1,2,3,4'*99))").dropLast(9)))
                == DecodingFault(.malformed, "the compressed data ends too soon")
        )
    }

    @Test func whatExpandsTooMuchIsRefused() throws {
        let bomb = try Self.python("out.write(gzip.compress(bytes(20<<20)))")
        #expect(Self.fault(bomb) == DecodingFault(.growsTooMuch, "it expands more than 100 times when decompressed"))
        #expect(
            Self.fault(bomb, DecodingLimits(total: 1000, ratio: .max))
                == DecodingFault(.overLimit, "it has more than 1000 bytes, decompressed")
        )
        #expect(
            Self.fault(Array("12345".utf8), DecodingLimits(total: 4))
                == DecodingFault(.overLimit, "it has more than 4 bytes, decompressed")
        )
    }
}
