import Foundation
import PlugCore
import TestKit
import Testing

@testable import PlugRuntime

struct FingerprintSetTests {
    /// Entries, some of which share their first half, and what a plain dictionary makes of them.
    private func filled(
        _ size: Int,
        _ set: inout FingerprintSet,
        _ generator: inout SplitMix
    ) throws -> [RecordFingerprint: Bool] {
        var plain: [RecordFingerprint: Bool] = [:]
        for _ in 0..<size {
            // A few values of `high` come back again and again.
            let high = UInt64.random(in: 0..<10, using: &generator) == 0 ? 42 << 59 : generator.next()
            let low = (generator.next() % 1000) << 1
            let fingerprint = RecordFingerprint(high: high, low: low)
            let isMet = Bool.random(using: &generator)
            set.insert(fingerprint, isMet: isMet)
            plain[fingerprint, default: false] = plain[fingerprint, default: false] || isMet
            if set.isFull { try set.spill() }
        }
        return plain
    }

    private func agrees(
        _ set: FingerprintSet,
        _ plain: [RecordFingerprint: Bool],
        _ generator: inout SplitMix
    ) throws -> Bool {
        for (fingerprint, isMet) in plain {
            guard try set.find(fingerprint) == (isMet ? .metInThisPass : .knownBefore) else { return false }
        }
        for _ in 0..<1000 {
            let stranger = RecordFingerprint(high: generator.next(), low: generator.next())
            guard try set.find(stranger) == .unknown else { return false }
        }
        return true
    }

    @Test(arguments: [0, 1, 100, 50_000])
    func agreesWithAPlainSet(_ size: Int) throws {
        var generator = SplitMix(state: UInt64(size) + 7)
        var set = FingerprintSet(.ignored)
        let plain = try filled(size, &set, &generator)
        #expect(set.count == plain.count)
        #expect(try agrees(set, plain, &generator))
    }

    @Test func fitsIntoFourMebibytesWithTheLastPage() {
        var generator = SplitMix(state: 11)
        var table = FingerprintTable()
        for _ in 0..<(FingerprintSet.defaultLimit + 16_000) {
            table.insert(RecordFingerprint(high: generator.next(), low: generator.next()))
        }
        #expect(table.bytes == 4 << 20)
    }

    @Test(arguments: [1, 3, 300, 3_000])
    func agreesWithAPlainSetAlsoOnDisk(_ limit: Int) throws {
        try TemporaryFolder.with { folder in
            var generator = SplitMix(state: UInt64(limit) + 9)
            var set = FingerprintSet(.ignored, folder: folder, limit: limit)
            let plain = try filled(min(20_000, limit * 200), &set, &generator)
            #expect(try agrees(set, plain, &generator))
            // The files have no names.
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }

    @Test func knowsIdentitiesWithTheirContents() throws {
        try TemporaryFolder.with { folder in
            for limit in [1, 100] {
                var set = FingerprintSet(.decisive, folder: folder, limit: limit)
                func insert(_ high: UInt64, _ low: UInt64, isMet: Bool, inAnyForm: Bool = false) throws {
                    set.insert(RecordFingerprint(high: high, low: low), isMet: isMet, inAnyForm: inAnyForm)
                    if set.isFull { try set.spill() }
                }
                try insert(1, 10, isMet: false)
                try insert(2, 50, isMet: false, inAnyForm: true)
                #expect(try set.find(RecordFingerprint(high: 1, low: 10)) == .knownBefore)
                #expect(try set.find(RecordFingerprint(high: 1, low: 20)) == .unknown)
                #expect(try set.find(RecordFingerprint(high: 2, low: 20)) == .knownInAnyForm)
                // Since it has had a content of its own here, any other one is a change.
                try insert(2, 30, isMet: false)
                #expect(try set.find(RecordFingerprint(high: 2, low: 30)) == .knownBefore)
                #expect(try set.find(RecordFingerprint(high: 2, low: 20)) == .unknown)
                try insert(1, 20, isMet: true)
                #expect(try set.find(RecordFingerprint(high: 1, low: 10)) == .knownBefore)
                #expect(try set.find(RecordFingerprint(high: 1, low: 20)) == .metInThisPass)
                #expect(try set.find(RecordFingerprint(high: 1, low: 30)) == .metWithOtherContent)
            }
        }
    }

    @Test("a record that declares its version is known with any content, but told apart within a pass")
    func tellsContentsApart() throws {
        let (thing, other): (UInt64, UInt64) = (7 << 32, 8 << 32)
        var set = FingerprintSet(.toldApart)
        set.insert(RecordFingerprint(high: 1, low: thing | 2), isMet: false)
        #expect(try set.find(RecordFingerprint(high: 1, low: thing | 2)) == .knownBefore)
        #expect(try set.find(RecordFingerprint(high: 1, low: thing | 4)) == .knownWithOtherContent)
        #expect(try set.find(RecordFingerprint(high: 1, low: other | 2)) == .unknown)
        #expect(try set.meet(RecordFingerprint(high: 1, low: thing | 4)) == .knownWithOtherContent)
        #expect(try set.meet(RecordFingerprint(high: 1, low: thing | 4)) == .metInThisPass)
        #expect(try set.meet(RecordFingerprint(high: 1, low: thing | 6)) == .metWithOtherContent)
        #expect(try set.meet(RecordFingerprint(high: 1, low: thing | 6)) == .metInThisPass)
        // Of an earlier process, under another 'map'.
        set.insert(RecordFingerprint(high: 2, low: thing | 2), isMet: true, inAnyForm: true)
        #expect(try set.find(RecordFingerprint(high: 2, low: thing | 4)) == .metInThisPass)
    }

    @Test(arguments: [FingerprintSet.Contents.ignored, .toldApart, .decisive], [1, 300, 50_000])
    func meetingIsFindingAndMarking(_ contents: FingerprintSet.Contents, _ limit: Int) throws {
        try TemporaryFolder.with { folder in
            var generator = SplitMix(state: UInt64(limit) + 13)
            var inOneStep = FingerprintSet(contents, folder: folder, limit: limit)
            var inTwo = FingerprintSet(contents, folder: folder, limit: limit)
            for _ in 0..<min(20_000, limit * 200) {
                // Each comes several times, with one of three contents; a few share the end of a table.
                let high = UInt64.random(in: 0..<4, using: &generator) == 0 ? .max : (generator.next() % 3_000) << 50
                let fingerprint = RecordFingerprint(high: high, low: generator.next() % 6)
                if Bool.random(using: &generator) {
                    // Of an earlier pass.
                    inTwo.insert(fingerprint, isMet: false)
                    inOneStep.insert(fingerprint, isMet: false)
                }
                let found = try inTwo.find(fingerprint)
                if found < .metInThisPass { inTwo.insert(fingerprint, isMet: true) }
                try #require(try inOneStep.meet(fingerprint) == found)
                if inTwo.isFull { try inTwo.spill() }
                if inOneStep.isFull { try inOneStep.spill() }
            }
            #expect(inOneStep.count == inTwo.count)
        }
    }

    @Test func saysSoWhereThereIsNoRoomForAFile() throws {
        var set = FingerprintSet(.ignored, folder: "/nowhere", limit: 1)
        set.insert(RecordFingerprint(high: 1, low: 2), isMet: true)
        let error = #expect(throws: PlugError.self) { try set.spill() }
        #expect(error?.code == "store-failed")
    }
}

private enum TemporaryFolder {
    static func with(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "plughost-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }
}
