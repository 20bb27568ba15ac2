import PlugCore
import Testing

@testable import PlugRuntime

struct FingerprintTableTests {
    @Test("what was added is found, with its mark, and nothing else")
    func finds() {
        var table = FingerprintTable()
        let entries = (1...UInt64(5000)).map { RecordFingerprint(high: $0 &* 0x9E37_79B9_7F4A_7C15, low: $0 << 1) }
        for entry in entries { table.insert(entry) }
        func isThere(_ entry: RecordFingerprint) -> Bool {
            var isThere = false
            table.forEach(high: entry.high) { isThere = isThere || $0 == entry }
            return isThere
        }
        #expect(entries.allSatisfy(isThere) && table.count == 5000)
        #expect(!isThere(RecordFingerprint(high: 1, low: 2)))
        table.insert(RecordFingerprint(high: entries[7].high, low: entries[7].low | 1))
        #expect(!isThere(entries[7]) && table.count == 5000)
    }
}
