internal import PlugCore

/// Hashes of the contents of a pass's records: of all of them up to 40,000, of every second, fourth, … of more, so that memory
/// does not grow with the number of records: a table of so many takes 1 MiB. A key that repeats does so often, and some of it is in any sample.
struct ContentSample: Equatable {
    private let limit: Int
    /// By identity; `low` is the content's hash, but for its lowest bit, which the table takes.
    private var contents = FingerprintTable()
    /// Records whose identity has one of these bits are left out.
    private var mask: UInt64 = 0

    /// - Parameter limit: How many hashes are kept; they take some 26 bytes each.
    init(limit: Int = 40_000) { self.limit = limit }

    /// Remembers the content of a record.
    ///
    /// - Parameter identity: A hash of its identity, as good in each bit as in any other.
    mutating func insert(_ identity: UInt64, _ bytes: [UInt8], _ range: Range<Int>) {
        guard identity & mask == 0 else { return }
        if contents.count >= limit {
            mask = mask << 1 | 1
            let mask = mask
            contents.keep { $0.high & mask == 0 }
            if identity & mask != 0 { return }
        }
        // Its place comes from memory while the content is hashed.
        contents.prefetch(high: identity)
        contents.insert(RecordFingerprint(high: identity, low: Self.hash(bytes, range)))
    }

    /// Whether the content of a record with this identity is remembered, and is another.
    func contradicts(_ identity: UInt64, _ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        guard identity & mask == 0 else { return false }
        let hash = Self.hash(bytes, range)
        var (isKnown, isSame) = (false, false)
        contents.forEach(high: identity) { known in
            isKnown = true
            isSame = isSame || known.low | 1 == hash | 1
        }
        return isKnown && !isSame
    }

    /// Eight bytes at a time, as every record passes here: against accidents only.
    private static func hash(_ bytes: [UInt8], _ range: Range<Int>) -> UInt64 {
        bytes.withUnsafeBytes { bytes in
            let record = UnsafeRawBufferPointer(rebasing: bytes[range])
            var hash = UInt64(record.count)
            var at = 0
            while at + 8 <= record.count {
                hash = mixed(hash, record.loadUnaligned(fromByteOffset: at, as: UInt64.self))
                at += 8
            }
            var rest: UInt64 = 0
            for byte in record[at...] { rest = rest << 8 | UInt64(byte) }
            return mixed(hash, rest)
        }
    }

    @inline(__always)
    private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
        return product ^ (product >> 32)
    }
}
