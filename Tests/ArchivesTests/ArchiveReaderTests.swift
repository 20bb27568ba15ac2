import Foundation
import TestKit
import Testing

@testable import Archives

@Suite(.fewAtATime)
struct ArchiveReaderTests {
    @Test(arguments: [ArchiveWriter.Form.zip, .tarGzip])
    func entriesComeInOrderWithTheirNames(_ form: ArchiveWriter.Form) throws {
        let folder = try Folder()
        let names = ["b/ä ö 日本.json", "a.json", "x/y/😀.csv", "a b/'quoted'.txt"]
        let path = try folder.archive(files(names), form)
        var expected = Contents()
        (expected.entries, expected.numbers) = (names, [0, 1, 2, 3])
        expected.texts = names.map { "text of \($0)" }
        #expect(Contents(path) == expected)
    }

    @Test func onlyWantedEntriesAreRead() throws {
        let folder = try Folder()
        let path = try folder.archive(files(["a.json", "b.csv", "c.json"]))
        let contents = Contents(path) { $0.hasSuffix(".json") }
        #expect(contents.entries == ["a.json", "c.json"])
        #expect(contents.numbers == [0, 2])
    }

    @Test func aSingleFileIsAnEntryByItsName() throws {
        let folder = try Folder()
        let plain = Contents(try folder.file("History.csv", Array("Title\nA".utf8)))
        #expect(plain.entries == ["History.csv"])
        #expect(plain.texts == ["Title\nA"])
    }

    @Test func equalFilesMakeEqualArchives() throws {
        let folder = try Folder()
        for form in [ArchiveWriter.Form.zip, .tarGzip] {
            let first = try folder.archive(files(["a", "b"]), form, as: "1")
            let second = try folder.archive(files(["a", "b"]), form, as: "2")
            #expect(try Data(contentsOf: URL(filePath: first)) == Data(contentsOf: URL(filePath: second)))
        }
    }

    @Test func theDigestTellsArchivesApart() throws {
        let folder = try Folder()
        func digest(_ path: String) throws -> [UInt8] { try ArchiveFile(path).digest { false } }
        for form in [ArchiveWriter.Form.zip, .tarGzip] {
            let one = try digest(try folder.archive([("a", "x"), ("b", "y")], form, as: "1"))
            #expect(try digest(try folder.archive([("a", "x"), ("b", "y")], form, as: "2")) == one)
            #expect(try digest(try folder.archive([("a", "x"), ("b", "z")], form, as: "3")) != one)
            #expect(try digest(try folder.archive([("a", "x"), ("c", "y")], form, as: "4")) != one)
        }
    }

    // MARK: - What is wrong

    @Test("a wrong checksum of gzip is told, and several members are read as one")
    func checksumsOfGzip() throws {
        let folder = try Folder()
        let path = try folder.archive([("a", "one"), ("b", "two")], .tarGzip)
        let bytes = Array(try Data(contentsOf: URL(filePath: path)))
        // RFC 1952: the last eight bytes are the checksum and the size.
        for at in [8, 5, 4, 1] {
            var wrong = bytes
            wrong[bytes.count - at] ^= 0x40
            let contents = Contents(try folder.file("wrong", wrong))
            #expect(contents.faults.map(\.kind) == [.damaged], "\(contents.faults)")
        }
        // The end of this tar lies at 128 KiB, where a piece ends, and padding follows.
        let long = (0..<129_536).map { String($0 % 10) }.joined()
        var longBytes = Array(
            try Data(contentsOf: URL(filePath: try folder.archive([("long", long)], .tarGzip, as: "long")))
        )
        #expect(Contents(try folder.file("whole", longBytes)).faults == [])
        longBytes[longBytes.count - 8] ^= 0x40
        #expect(Contents(try folder.file("long", longBytes)).faults.map(\.kind) == [.damaged])
        #expect(Contents(try folder.file("cut", Array(longBytes.dropLast(6)))).faults.map(\.kind) == [.damaged])
        #expect(Contents(try folder.file("padded", bytes + [0, 0, 0, 0])).texts == ["one", "two"])
        #expect(Contents(try folder.file("followed", bytes + Array("more".utf8))).texts == ["one", "two"])
    }

    @Test func whatIsNotThere() throws {
        let folder = try Folder()
        #expect(Contents(folder.path + "/none").faults == [ArchiveFault(.unopened, "there is no such file")])
        #expect(Contents(folder.path).faults == [ArchiveFault(.unopened, "it is not a file")])
        #expect(Contents(try folder.file("e", [])).faults == [ArchiveFault(.damaged, "the file is empty")])
    }

    @Test func kindsThatAreNotReadAreNamed() throws {
        let folder = try Folder()
        let seven = try folder.file("a.7z", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 0])
        #expect(Contents(seven).faults == [ArchiveFault(.refused, "it is a 7z archive, which is not supported")])
    }

    @Test(arguments: [ArchiveWriter.Form.zip, .tarGzip])
    func anArchiveThatWasCutShortGivesWhatIsWhole(_ form: ArchiveWriter.Form) throws {
        let folder = try Folder()
        let random = (0..<3).map { number in (0..<20_000).map { String(($0 &* 7919 &+ number) % 9973) }.joined() }
        let whole = try folder.archive(Array(zip(["a", "b", "c"], random)), form)
        let bytes = Array(try Data(contentsOf: URL(filePath: whole)))
        let cut = try folder.file("cut", Array(bytes.prefix(bytes.count * 5 / 6)))
        let contents = Contents(cut)
        #expect(contents.texts == Array(random.prefix(2)))
        let fault = try #require(contents.faults.first)
        #expect(contents.faults.count == 1)
        #expect(fault.kind == .damaged)
        #expect(fault.reason == "it ends too soon: the file was not copied completely")
        #expect(fault.entry == "c")
        #expect(!fault.concernsEntry)
    }

    @Test func aWrongChecksumConcernsItsEntryOnly() throws {
        let folder = try Folder()
        let path = try folder.archive(files(["a", "b"]))
        var bytes = Array(try Data(contentsOf: URL(filePath: path)))
        // The checksum stands in the entry's line of the directory (APPNOTE.TXT 4.3.12).
        let place = try #require(bytes.firstIndex(of: "PK\u{1}\u{2}"))
        bytes[place + 16] ^= 1
        let contents = Contents(try folder.file("wrong.zip", bytes))
        #expect(contents.entries == ["a", "b"])
        #expect(contents.texts == ["text of b"])
        #expect(contents.faults.map(\.entry) == ["a"])
        #expect(contents.faults.map(\.kind) == [.damaged])
    }

    @Test("an entry whose compressed data is damaged does not take those behind it with it, however many there are")
    func damagedData() throws {
        let folder = try Folder()
        let names = (0..<40).map { "entry \($0)" }
        let path = try folder.archive(names.map { ($0, String(repeating: "text of \($0)\n", count: 200)) })
        var bytes = Array(try Data(contentsOf: URL(filePath: path)))
        // Behind each local header (APPNOTE.TXT 4.3.7) and name: an invalid type of a deflate block.
        for name in ["entry 0", "entry 5", "entry 39"] {
            let header = try #require(bytes.firstIndex(of: name))
            let extra = Int(bytes[header - 2]) | Int(bytes[header - 1]) << 8
            bytes[header + name.utf8.count + extra] = 0x07
        }
        let contents = Contents(try folder.file("damaged.zip", bytes))
        #expect(contents.entries == names)
        #expect(contents.texts.count == 37)
        #expect(contents.faults.map(\.entry) == ["entry 0", "entry 5", "entry 39"])
        #expect(contents.faults.allSatisfy { $0.kind == .damaged && $0.concernsEntry })
    }

    @Test("many entries before a damaged one, and many damaged ones, are no reason to stop")
    func manyDamagedEntries() throws {
        let folder = try Folder()
        let names = (0..<1_200).map { "entry \($0)." }
        let path = try folder.archive(names.map { ($0, String(repeating: "text", count: 20)) })
        var bytes = Array(try Data(contentsOf: URL(filePath: path)))
        // One search: each header follows the one before.
        var from = 0
        for (number, name) in names.enumerated() {
            let header = try #require(bytes[from...].firstIndex(of: UInt8(ascii: "e"), of: name))
            let data = header + name.utf8.count + (Int(bytes[header - 2]) | Int(bytes[header - 1]) << 8)
            if number >= 1_100, number.isMultiple(of: 2) { bytes[data] = 0x07 }
            from = data
        }
        let damaged = try folder.file("damaged.zip", bytes)
        let contents = Contents(damaged)
        #expect(contents.faults.count == 50)
        #expect(contents.texts.count == 1_150)

        // Bounded: the third one is the end.
        var limits = ArchiveLimits()
        limits.repeats = 2_500
        let bounded = Contents(damaged, limits)
        #expect(bounded.faults.map(\.concernsEntry) == [true, true, false])
    }

    @Test("the bytes of entries before a damaged one do not count as the archive's list of them")
    func largeEntriesBeforeADamagedOne() throws {
        let folder = try Folder()
        var generator = SplitMix(state: 1)
        let texts = (0..<8).map { _ in (0..<60_000).map { _ in "\(generator.next() % 1_000_000)" }.joined() }
        let path = try folder.archive(texts.enumerated().map { ("entry \($0).", $1) })
        var bytes = Array(try Data(contentsOf: URL(filePath: path)))
        let header = try #require(bytes.firstIndex(of: "entry 6."))
        bytes[header + 8 + (Int(bytes[header - 2]) | Int(bytes[header - 1]) << 8)] = 0x07
        var limits = ArchiveLimits()
        limits.directory = 500_000
        let contents = Contents(try folder.file("damaged.zip", bytes), limits)
        #expect(contents.faults.map(\.entry) == ["entry 6."])
        #expect(contents.faults.map(\.kind) == [.damaged])
        #expect(contents.texts == Array(texts[..<6]) + [texts[7]])
    }

    @Test("a zip that was cut in the list of its entries gives them and is not whole")
    func cutInTheDirectory() throws {
        let folder = try Folder()
        let bytes = Array(try Data(contentsOf: URL(filePath: try folder.archive(files(["a", "b"])))))
        let directory = try #require(bytes.firstIndex(of: "PK\u{1}\u{2}"))
        for end in [directory + 20, bytes.count - 1] {
            let contents = Contents(try folder.file("cut.zip", Array(bytes.prefix(end))))
            #expect(contents.texts == ["text of a", "text of b"], "\(end)")
            #expect(contents.faults.map(\.kind) == [.damaged], "\(end)")
        }
    }

    @Test("a file that should be an archive and is none is not a single file")
    func noArchives() throws {
        let folder = try Folder()
        func reason(_ name: String, _ text: String) throws -> String? {
            Contents(try folder.file(name, Array(text.utf8))).faults.first?.reason
        }
        let page = "it is a web page, not an archive: perhaps the link has expired, or asked for a log-in"
        #expect(try reason("export.zip", "\n<!DOCTYPE html><p>Log in</p>") == page)
        #expect(try reason("export.ZIP", "zeros") == "its name ends in '.zip', but it is no such archive")
        #expect(try reason("export.tgz", "zeros") == "its name ends in '.tgz', but it is no such archive")
        #expect(try reason("table.html", "<!DOCTYPE html><table></table>") == nil)
        let zip = Array(try Data(contentsOf: URL(filePath: try folder.archive(files(["a", "b"])))))
        let half = Contents(try folder.file("half", Array(zip.suffix(zip.count / 2))))
        #expect(half.faults.map(\.reason) == ["it has the end of a zip archive, but not its beginning"])
    }

    @Test func namesThatLeadElsewhereAreRefused() throws {
        let folder = try Folder()
        let contents = Contents(try folder.archive(files(["../../etc/a", "/b", "c\\d", "e", "f/../../g"]), .tarGzip))
        #expect(contents.texts == ["text of e"])
        #expect(contents.faults.map(\.reason) == Array(repeating: "its name leads out of the archive", count: 4))
    }

    @Test func anArchiveWithTooManyEntriesIsRefused() throws {
        let folder = try Folder()
        var limits = ArchiveLimits()
        limits.entries = 2
        let names = files(["a", "b", "c"])
        for form in [ArchiveWriter.Form.zip, .tarGzip] {
            let contents = Contents(try folder.archive(names, form), limits)
            #expect(contents.faults == [ArchiveFault(.overLimit, "it has more than 2 entries")])
        }
    }

    @Test func anEntryThatExpandsTooMuchIsRefused() throws {
        let folder = try Folder()
        var limits = ArchiveLimits()
        limits.ratioFrom = 1 << 20
        let path = try folder.archive([("zeros", String(repeating: "0", count: 64 << 20)), ("b", "text")])
        let contents = Contents(path, limits)
        #expect(contents.texts == ["text"])
        #expect(contents.faults.map(\.kind) == [.overLimit])
        #expect(contents.faults.map(\.entry) == ["zeros"])
    }

    private func files(_ names: [String]) -> [(String, String)] { names.map { ($0, "text of \($0)") } }
}

extension ArraySlice<UInt8> {
    /// Where a text begins that begins with a letter.
    fileprivate func firstIndex(of letter: UInt8, of text: String) -> Int? {
        let wanted = Array(text.utf8)
        return indices.first { self[$0] == letter && self[$0...].starts(with: wanted) }
    }
}

extension [UInt8] {
    /// Where a text begins.
    func firstIndex(of text: String) -> Int? {
        let wanted = Array(text.utf8)
        return indices.first { self[$0...].starts(with: wanted) }
    }
}
