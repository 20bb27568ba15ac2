import PlugCore
import Testing

@testable import PlugRuntime

private struct SplitMix: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

struct FingerprintSetTests {
    @Test(arguments: [0, 1, 100, 50_000])
    func agreesWithAPlainSet(_ size: Int) {
        var generator = SplitMix(state: UInt64(size) + 7)
        var set = FingerprintSet(comparesContent: false)
        var plain: [RecordFingerprint: Bool] = [:]
        for _ in 0..<size {
            // A few values of `high` come back again and again.
            let high = UInt64.random(in: 0..<10, using: &generator) == 0 ? 42 << 59 : generator.next()
            let low = (generator.next() % 1000) << 1
            let fingerprint = RecordFingerprint(high: high, low: low)
            let isMet = Bool.random(using: &generator)
            set.insert(fingerprint, isMet: isMet)
            plain[fingerprint, default: false] = plain[fingerprint, default: false] || isMet
        }
        #expect(set.count == plain.count)
        let wrong = plain.filter { set.find($0.key) != ($0.value ? .metInThisPass : .knownBefore) }
        #expect(wrong.isEmpty)
        let strangers = (0..<1000).map { _ in RecordFingerprint(high: generator.next(), low: generator.next()) }
        #expect(strangers.allSatisfy { set.find($0) == .unknown })
    }

    @Test func knowsIdentitiesWithTheirContents() {
        var set = FingerprintSet(comparesContent: true)
        set.insert(RecordFingerprint(high: 1, low: 10), isMet: false)
        set.insert(RecordFingerprint(high: 2, low: FingerprintSet.anyContent), isMet: false)
        #expect(set.find(RecordFingerprint(high: 1, low: 10)) == .knownBefore)
        #expect(set.find(RecordFingerprint(high: 1, low: 20)) == .unknown)
        #expect(set.find(RecordFingerprint(high: 2, low: 20)) == .knownBefore)
        set.insert(RecordFingerprint(high: 1, low: 20), isMet: true)
        #expect(set.find(RecordFingerprint(high: 1, low: 10)) == .metInThisPass)
    }
}
