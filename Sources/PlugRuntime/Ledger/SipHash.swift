internal import PlugCore

/// SipHash-2-4 with 128 bits (Aumasson and Bernstein, https://www.aumasson.jp/siphash/siphash.pdf): a keyed hash that outsiders
/// cannot predict, at a tenth of SHA-256's cost for records of a few hundred bytes.
struct SipHash: Sendable {
    private let key: (UInt64, UInt64)

    /// - Parameter key: At least 16 bytes, of which only the first 16 are used.
    init(key: [UInt8]) {
        var words: (UInt64, UInt64) = (0, 0)
        for at in 0..<min(8, key.count) { words.0 |= UInt64(key[at]) << (8 * UInt64(at)) }
        for at in 8..<max(8, min(16, key.count)) { words.1 |= UInt64(key[at]) << (8 * UInt64(at - 8)) }
        self.key = words
    }

    /// The hash of some bytes.
    func hash(_ bytes: UnsafeRawBufferPointer) -> RecordFingerprint {
        var state = State(key)
        let count = bytes.count
        let whole = count & ~7
        var at = 0
        while at < whole {
            state.absorb(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)))
            at += 8
        }
        var last = UInt64(count & 0xFF) << 56
        while at < count {
            last |= UInt64(bytes[at]) << (8 * UInt64(at & 7))
            at += 1
        }
        state.absorb(last)
        return state.finish()
    }

    private struct State {
        var v0, v1, v2, v3: UInt64

        init(_ key: (UInt64, UInt64)) {
            v0 = 0x736F_6D65_7073_6575 ^ key.0
            v1 = 0x646F_7261_6E64_6F6D ^ key.1 ^ 0xEE
            v2 = 0x6C79_6765_6E65_7261 ^ key.0
            v3 = 0x7465_6462_7974_6573 ^ key.1
        }

        @inline(__always)
        mutating func absorb(_ word: UInt64) {
            v3 ^= word
            round()
            round()
            v0 ^= word
        }

        @inline(__always)
        mutating func round() {
            v0 &+= v1
            v2 &+= v3
            v1 = Self.rotate(v1, 13) ^ v0
            v3 = Self.rotate(v3, 16) ^ v2
            v0 = Self.rotate(v0, 32)
            v2 &+= v1
            v0 &+= v3
            v1 = Self.rotate(v1, 17) ^ v2
            v3 = Self.rotate(v3, 21) ^ v0
            v2 = Self.rotate(v2, 32)
        }

        @inline(__always)
        static func rotate(_ word: UInt64, _ bits: UInt64) -> UInt64 { word &<< bits | word &>> (64 &- bits) }

        mutating func finish() -> RecordFingerprint {
            v2 ^= 0xEE
            for _ in 0..<4 { round() }
            let high = v0 ^ v1 ^ v2 ^ v3
            v1 ^= 0xDD
            for _ in 0..<4 { round() }
            return RecordFingerprint(high: high, low: v0 ^ v1 ^ v2 ^ v3)
        }
    }
}
