import PlugCore
import Testing

@testable import PlugRuntime

struct FingerprintTableTests {
    @Test("what is kept is found, what is dropped is not, and there is room again")
    func keeps() {
        var table = FingerprintTable()
        let entries = (1...UInt64(5000)).map { RecordFingerprint(high: $0 &* 0x9E37_79B9_7F4A_7C15, low: $0 << 1) }
        for entry in entries { table.insert(entry) }
        let room = table.bytes
        table.keep { $0.low % 8 == 0 }
        func isThere(_ entry: RecordFingerprint) -> Bool {
            var isThere = false
            table.forEach(high: entry.high) { isThere = isThere || $0 == entry }
            return isThere
        }
        #expect(entries.filter(isThere) == entries.filter { $0.low % 8 == 0 })
        #expect(table.count == 1250)
        for entry in entries { table.insert(entry) }
        #expect(entries.allSatisfy(isThere) && table.count == 5000 && table.bytes == room)
    }
}
