/// Tells of most fingerprints that are not in a file that they are not, without reading it: a Bloom filter of one byte for each
/// entry, of which each has three bits in one word. Some 4 % of those that are not there are let through.
///
/// In a first pass hardly any record is known, and each would read every file.
struct FingerprintFilter: Sendable {
    /// What one may take at most, 4 MiB: of more entries more are let through.
    private static let wordLimit = 1 << 19

    private var words: [UInt64]

    /// An empty one.
    ///
    /// - Parameter count: How many entries it will have, about.
    init(for count: Int) {
        words = Array(repeating: 0, count: min(max(1, count / 8), Self.wordLimit))
    }

    /// What it takes of memory.
    var byteCount: Int { words.count * MemoryLayout<UInt64>.stride }

    mutating func insert(_ high: UInt64) { words[place(of: high)] |= Self.bits(of: high) }

    /// Whether an entry may be there; `false` only where it is not.
    func mayHold(_ high: UInt64) -> Bool {
        let bits = Self.bits(of: high)
        return words[place(of: high)] & bits == bits
    }

    /// By the highest bits, of which all of the hash are as good as any other: a sorted file fills it from its beginning to its end.
    private func place(of high: UInt64) -> Int { Int(high.multipliedFullWidth(by: UInt64(words.count)).high) }

    /// By the lowest 18 bits.
    private static func bits(of high: UInt64) -> UInt64 {
        1 << (high & 63) | 1 << (high >> 6 & 63) | 1 << (high >> 12 & 63)
    }
}
