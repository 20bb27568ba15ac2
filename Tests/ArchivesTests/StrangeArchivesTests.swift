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
        let size = claimed ?? data.count
        let isLarge = size >= 0xFFFF_FFFF
        let extra = isLarge ? little(1, 2) + little(16, 2) + little(size, 8) + little(size, 8) : []
        let sizes = isLarge ? little(0xFFFF_FFFF, 4) + little(0xFFFF_FFFF, 4) : little(size, 4) + little(size, 4)
        let shared =
            little(45, 2) + little(flags, 2) + little(0, 2) + little(0, 4) + little(Int(crc(data)), 4) + sizes
            + little(name.utf8.count, 2) + little(extra.count, 2)
        let offset = body.count
        body += [0x50, 0x4B, 3, 4] + shared + Array(name.utf8) + extra + data
        directory += [0x50, 0x4B, 1, 2] + little(0x0314, 2) + shared + little(0, 2) + little(0, 2) + little(0, 2)
        directory += little(mode << 16, 4) + little(offset, 4) + Array(name.utf8) + extra
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
}
