internal import PlugCore

/// Hashes of the contents of a pass's records: of all up to 40,000, beyond that of every second, fourth, …, so that memory is
/// bounded: a table of that size takes 1 MiB. A key that repeats does so often, so any sample shows it.
struct ContentSample: Equatable {
    private let limit: Int
    /// By identity; `low` is the content's hash except for its lowest bit, which the table uses.
    private var contents = FingerprintTable()
    /// Records whose identity has any of these bits set are left out.
    private var mask: UInt64 = 0

    /// - Parameter limit: The maximum number of hashes kept; each takes some 26 bytes.
    init(limit: Int = 40_000) { self.limit = limit }

    /// Prepares for calls of `insert` with these records.
    func prefetch(_ records: [RecordFingerprint]) { contents.prefetch(records) { $0 & mask == 0 } }

    /// Remembers the content of a record.
    ///
    /// - Parameter identity: A hash of its identity, uniform in all bits.
    mutating func insert(_ identity: UInt64, _ bytes: [UInt8], _ range: Range<Int>) {
        guard identity & mask == 0 else { return }
        if contents.count >= limit {
            mask = mask << 1 | 1
            let mask = mask
            contents.keep { $0.high & mask == 0 }
            if identity & mask != 0 { return }
        }
        contents.insert(RecordFingerprint(high: identity, low: Self.hash(bytes, range)))
    }

    /// Whether different content is remembered for a record with this identity.
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

    /// Processes 16 bytes at a time, as every record passes through here: protects against accidents only.
    private static func hash(_ bytes: [UInt8], _ range: Range<Int>) -> UInt64 {
        bytes.withUnsafeBytes { bytes in
            let record = UnsafeRawBufferPointer(rebasing: bytes[range])
            var hash = UInt64(record.count)
            var at = 0
            while at + 16 <= record.count {
                hash = mixed(
                    hash ^ record.loadUnaligned(fromByteOffset: at, as: UInt64.self),
                    record.loadUnaligned(fromByteOffset: at + 8, as: UInt64.self)
                )
                at += 16
            }
            if at > 0 {
                // The last bytes, some of them once more.
                let last = record.count - 16
                return mixed(
                    hash ^ record.loadUnaligned(fromByteOffset: last, as: UInt64.self),
                    record.loadUnaligned(fromByteOffset: last + 8, as: UInt64.self)
                )
            }
            var rest: (UInt64, UInt64) = (0, 0)
            for byte in record { rest = (rest.0 << 8 | rest.1 >> 56, rest.1 << 8 | UInt64(byte)) }
            return mixed(hash ^ rest.0, rest.1)
        }
    }

    @inline(__always)
    private static func mixed(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let product = (one ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(by: other ^ 0xD1B5_4A32_D192_ED03)
        return product.high ^ product.low
    }
}
