import Foundation
import TestKit
import Testing

@testable import Archives

/// Archives that only somebody with bad intentions makes, byte by byte.
@Suite(.fewAtATime)
struct StrangeArchivesTests {
    @Test func aPasswordIsTold() throws {
        let folder = try Folder()
        var zip = RawZip()
        zip.add("secret.json", Array("0123456789abcdef".utf8), flags: 1)
        zip.add("open.json", Array("{}".utf8))
        let contents = Contents(try folder.file("a.zip", zip.bytes))
        #expect(contents.texts == ["{}"])
        #expect(
            contents.faults == [
                ArchiveFault(.encrypted, "it is protected with a password", entry: "secret.json", concernsEntry: true)
            ]
        )
    }

    @Test func anEntryThatClaimsTenTerabytesGivesWhatItHas() throws {
        let folder = try Folder()
        var zip = RawZip()
        zip.add("huge.json", Array("[1,2]".utf8), claimed: 10_000_000_000_000)
        zip.add("next.json", Array("{}".utf8))
        let contents = Contents(try folder.file("a.zip", zip.bytes))
        let fault = try #require(contents.faults.first)
        #expect(fault.entry == "huge.json")
        #expect(fault.kind == .damaged)
        #expect(contents.texts.allSatisfy { $0 == "{}" })
    }

    @Test("of two sizes, the one at the entry counts", arguments: [0, 10, 4_294_967_280])
    func twoSizes(_ size: Int) throws {
        let folder = try Folder()
        var zip = RawZip()
        zip.add("a.json", Array("[1,2,3,4]".utf8))
        zip.add("b.json", Array("{}".utf8))
        let wrong = (0..<4).map { UInt8(truncatingIfNeeded: size >> ($0 * 8)) }
        var bytes = zip.bytes
        // APPNOTE.TXT 4.3.12: the size of the first file in the directory.
        let listed = try #require(bytes.firstRange(of: [0x50, 0x4B, 1, 2])).lowerBound + 24
        bytes.replaceSubrange(listed..<(listed + 4), with: wrong)
        let contents = Contents(try folder.file("directory.zip", bytes))
        #expect(contents.texts == ["[1,2,3,4]", "{}"] && contents.faults == [])
        if size == 0 { return }
        // 4.3.7: the size before its data.
        bytes = zip.bytes
        bytes.replaceSubrange(22..<26, with: wrong)
        let faults = Contents(try folder.file("entry.zip", bytes)).faults
        #expect(faults.map(\.entry) == ["a.json"] && faults.map(\.kind) == [.damaged])
        #expect(faults.map(\.concernsEntry) == [true])
    }

    @Test func twoMillionEntriesAreRefusedBeforeTheyTakeMemory() throws {
        let folder = try Folder()
        var zip = RawZip()
        zip.add("a", [])
        // What the end of the archive says of itself.
        zip.count = 2_000_000
        #expect(
            Contents(try folder.file("a.zip", zip.bytes)).faults == [
                ArchiveFault(.overLimit, "it has more than 250000 entries")
            ]
        )
    }

    @Test func aDirectoryThatIsLargerThanItSaysIsNotReadForEver() throws {
        let folder = try Folder()
        var zip = RawZip()
        for number in 0..<5_000 { zip.add("entry-with-a-rather-long-name-\(number)", []) }
        zip.count = 1
        var limits = ArchiveLimits()
        (limits.directory, limits.entries) = (128 << 10, 1_000)
        let contents = Contents(try folder.file("a.zip", zip.bytes), limits)
        #expect(contents.faults.map(\.kind) == [.overLimit])
        #expect(contents.entries.count <= 1_000)
    }

    @Test func linksAreRefusedAndNotFollowed() throws {
        let folder = try Folder()
        var zip = RawZip()
        zip.add("link.json", Array("/etc/passwd".utf8), mode: 0o120777)
        zip.add("a.json", Array("{}".utf8))
        let contents = Contents(try folder.file("a.zip", zip.bytes))
        #expect(contents.texts == ["{}"])
        #expect(contents.faults.map(\.entry) == ["link.json"])
        #expect(contents.faults.map(\.kind) == [.refused])
    }

    /// The end of a zip says how many entries it has, in this file and in others (APPNOTE.TXT 4.3.16).
    @Test(
        arguments: [
            (8, [2, 0, 2, 0], "it has a.json"),
            (8, [3, 0, 3, 0], "its end counts 3 entries, and it has 2: some may be missing"),
            (8, [1, 0, 1, 0], "its end counts 1 entries, and it has 2: some may be missing"),
            (4, [5, 0], "it is one of several parts of an archive: join them first"),
            (6, [1, 0], "it is one of several parts of an archive: join them first"),
            (8, [1, 0, 2, 0], "it is one of several parts of an archive: join them first"),
        ] as [(Int, [UInt8], String)]
    )
    func aZipHasWhatItsEndCounts(_ place: Int, _ value: [UInt8], _ reason: String) throws {
        let folder = try Folder()
        var zip = RawZip()
        zip.add("a.json", Array("1".utf8))
        zip.add("b.json", Array("2".utf8))
        var bytes = zip.bytes
        bytes.replaceSubrange(bytes.count - 22 + place..<bytes.count - 22 + place + value.count, with: value)
        let contents = Contents(try folder.file("a.zip", bytes))
        #expect(contents.faults.map(\.reason) == (reason == "it has a.json" ? [] : [reason]))
        #expect(contents.texts == (reason.contains("parts") ? [] : ["1", "2"]))
    }

    /// The names of a zip are UTF-8 or, where that cannot be, code page 437; two names that differ are never one.
    @Test func namesOfAnOldCodePageAreRead() throws {
        let folder = try Folder()
        var zip = RawZip()
        zip.add([0x62, 0x65, 0x62, 0x82, 0x2F, 0x9A, 0x2E, 0x63, 0x73, 0x76], Array("1".utf8))
        zip.add("bebé/Ü.csv", Array("2".utf8))
        zip.add([0x62, 0x65, 0x62, 0xFF, 0x80, 0x2E, 0x63, 0x73, 0x76], Array("3".utf8))
        let contents = Contents(try folder.file("a.zip", zip.bytes))
        #expect(contents.entries == ["bebé/Ü.csv", "bebé/Ü.csv", "beb\u{A0}Ç.csv"])
        #expect(contents.texts == ["1", "2", "3"])
        #expect(contents.faults == [])
    }

    /// A tar that was cut between two entries is like a whole one, but for the zeros at its end.
    @Test(arguments: [("tar", { $0 }), ("tgz", RawTar.gzip)] as [(String, @Sendable ([UInt8]) -> [UInt8])])
    func aTarThatWasCutBetweenItsEntriesIsFound(_ name: String, _ packed: @Sendable ([UInt8]) -> [UInt8]) throws {
        let folder = try Folder()
        let tar = RawTar.entry("a", "text of a") + RawTar.entry("b", "text of b")
        let cut = Contents(try folder.file("cut.\(name)", packed(tar)))
        #expect(cut.texts == ["text of a", "text of b"])
        #expect(
            cut.faults == [ArchiveFault(.damaged, "it ends too soon: the zeros that end a tar archive are missing")]
        )
        // One block of zeros is enough, and so is any number.
        for zeros in [1, 2, 20, 600] {
            let bytes = tar + [UInt8](repeating: 0, count: zeros * 512)
            let whole = Contents(try folder.file("whole.\(name)", packed(bytes)))
            #expect(whole.texts == ["text of a", "text of b"])
            #expect(whole.faults == [])
        }
    }

    /// `tar czf export.tgz .` names all it packs so.
    @Test func namesHaveNoDotBeforeThem() throws {
        let folder = try Folder()
        let tar = ["./", "./posts/1.json", "././a", ".hidden", "b/./c", ".//c", "./../d"].map {
            RawTar.entry($0, $0 == "./" ? "" : "text of \($0)")
        }
        let contents = Contents(try folder.file("a.tar", tar.flatMap { $0 } + [UInt8](repeating: 0, count: 1024))) {
            !$0.hasSuffix("/")
        }
        #expect(contents.entries == ["posts/1.json", "a", ".hidden", "b/./c", "c"])
        #expect(contents.numbers == [1, 2, 3, 4, 5])
        #expect(contents.faults.map(\.entry) == ["../d"])
        #expect(contents.faults.map(\.reason) == ["its name leads out of the archive"])
        var zip = RawZip()
        zip.add("./posts/1.json", Array("{}".utf8))
        #expect(Contents(try folder.file("a.zip", zip.bytes)).entries == ["posts/1.json"])
    }

    @Test func aNameThatSaysItIsUTF8AndIsNoneIsTold() throws {
        let folder = try Folder()
        var zip = RawZip()
        zip.add([0x62, 0xFF, 0x2E, 0x63, 0x73, 0x76], Array("1".utf8), flags: 0x800)
        zip.add("a.csv", Array("2".utf8))
        let contents = Contents(try folder.file("a.zip", zip.bytes))
        #expect(contents.texts == ["2"])
        #expect(
            contents.faults == [
                ArchiveFault(
                    .damaged,
                    "its name is not UTF-8, although the archive says so",
                    entry: "",
                    concernsEntry: true
                )
            ]
        )
    }

    @Test(arguments: [".//a.json", "././a.json", "./a.json"]) func whatPointsToTheFolderItselfIsNoPartOfAName(
        _ name: String
    )
        throws
    {
        let folder = try Folder()
        let tar = RawTar.entry(name, "1") + [UInt8](repeating: 0, count: 1024)
        #expect(Contents(try folder.file("a.tar", tar)).entries == ["a.json"])
    }

    @Test(.timeLimit(.minutes(60))) func anythingMayCome() throws {
        let folder = try Folder()
        var random = SplitMix(state: 15)
        var zip = RawZip()
        for number in 0..<4 { zip.add("n\(number).json", Array("{\"number\": \(number)}".utf8)) }
        let good = zip.bytes
        for _ in 0..<400 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) {
                bytes = Array(bytes.prefix(Int.random(in: 1...bytes.count, using: &random)))
            }
            // Whatever it is, it ends, and with words.
            let contents = Contents(try folder.file("a.zip", bytes))
            #expect(contents.faults.allSatisfy { !$0.reason.isEmpty })
        }
    }
}

/// A zip archive of stored files, in which everything can be a lie (APPNOTE.TXT 4.3).
private struct RawZip {
    private var body: [UInt8] = []
    private var directory: [UInt8] = []
    /// How many entries the end says there are.
    var count = 0

    mutating func add(_ name: String, _ data: [UInt8], flags: Int = 0, claimed: Int? = nil, mode: Int = 0o100644) {
        add(Array(name.utf8), data, flags: flags, claimed: claimed, mode: mode)
    }

    mutating func add(_ name: [UInt8], _ data: [UInt8], flags: Int = 0, claimed: Int? = nil, mode: Int = 0o100644) {
        let size = claimed ?? data.count
        let isLarge = size >= 0xFFFF_FFFF
        let extra = isLarge ? little(1, 2) + little(16, 2) + little(size, 8) + little(size, 8) : []
        let sizes = isLarge ? little(0xFFFF_FFFF, 4) + little(0xFFFF_FFFF, 4) : little(size, 4) + little(size, 4)
        let shared =
            little(45, 2) + little(flags, 2) + little(0, 2) + little(0, 4) + little(Int(crc(data)), 4) + sizes
            + little(name.count, 2) + little(extra.count, 2)
        let offset = body.count
        body += [0x50, 0x4B, 3, 4] + shared + name + extra + data
        directory += [0x50, 0x4B, 1, 2] + little(0x0314, 2) + shared + little(0, 2) + little(0, 2) + little(0, 2)
        directory += little(mode << 16, 4) + little(offset, 4) + name + extra
        count += 1
    }

    var bytes: [UInt8] {
        let shown = min(count, 0xFFFF)
        let end =
            [0x50, 0x4B, 5, 6] + little(0, 4) + little(shown, 2) + little(shown, 2) + little(directory.count, 4)
            + little(body.count, 4) + little(0, 2)
        guard count > 0xFFFF else { return body + directory + end }
        // A count that has no room stands in the record of ZIP64, which a locator leads to.
        let record =
            [0x50, 0x4B, 6, 6] + little(44, 8) + little(45, 2) + little(45, 2) + little(0, 8) + little(count, 8)
            + little(count, 8) + little(directory.count, 8) + little(body.count, 8)
        let locator = [0x50, 0x4B, 6, 7] + little(0, 4) + little(body.count + directory.count, 8) + little(1, 4)
        return body + directory + record + locator + end
    }
}

/// A tar archive, a block of 512 bytes at a time (POSIX ustar).
private enum RawTar {
    static func entry(_ name: String, _ text: String) -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 512)
        func put(_ text: String, at place: Int) {
            for (at, byte) in text.utf8.enumerated() { header[place + at] = byte }
        }
        put(name, at: 0)
        let size = String(text.utf8.count, radix: 8)
        put("0000644", at: 100)
        put(String(repeating: "0", count: 11 - size.count) + size, at: 124)
        put("00000000000", at: 136)
        put("        ", at: 148)
        put("0", at: 156)
        put("ustar", at: 257)
        put("00", at: 263)
        let sum = String(header.reduce(0) { $0 + Int($1) }, radix: 8)
        put(String(repeating: "0", count: 6 - sum.count) + sum + "\0", at: 148)
        let content = Array(text.utf8)
        return header + content + [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
    }

    /// In blocks that are stored (RFC 1951 3.2.4, RFC 1952 2.3).
    @Sendable static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        var packed: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        for start in stride(from: 0, to: bytes.count, by: 0xFFFF) {
            let piece = bytes[start..<min(start + 0xFFFF, bytes.count)]
            packed += [piece.endIndex == bytes.count ? 1 : 0] + little(piece.count, 2) + little(~piece.count, 2) + piece
        }
        return packed + little(Int(crc(bytes)), 4) + little(bytes.count, 4)
    }
}

private func little(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
}

private func crc(_ data: [UInt8]) -> UInt32 {
    var crc = ~UInt32(0)
    for byte in data {
        crc ^= UInt32(byte)
        for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
}
