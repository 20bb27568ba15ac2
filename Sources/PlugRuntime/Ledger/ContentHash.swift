internal import PlugCore

/// A hash of a record's content that finds accidental changes, 16 bytes at a time: every record passes through here.
///
/// Keyed, so that a stored hash does not say what a content is. It is no protection from someone who chooses contents.
struct ContentHash: Sendable {
    private let seeds: (UInt64, UInt64)

    /// - Parameter key: At least 16 bytes, of which only the first 16 are used.
    init(key: [UInt8]) {
        // Not the words themselves, with which identities are hashed.
        let seed = Array("content".utf8).withUnsafeBytes { SipHash(key: key).hash($0) }
        seeds = (seed.high, seed.low | 1)
    }

    /// The hash of a part of some bytes.
    @inline(__always)
    func callAsFunction(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> UInt64 {
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

    @inline(__always)
    private func mixed(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let product = (one ^ seeds.0).multipliedFullWidth(by: other ^ seeds.1)
        return product.high ^ product.low
    }
}
