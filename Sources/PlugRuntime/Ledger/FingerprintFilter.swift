internal import PlugCore

/// Rules out most fingerprints that are not in a file, without reading entries: a Bloom filter with one byte per entry, in which
/// each entry has three bits in one word. Some 4 % of absent fingerprints are let through.
///
/// In a first pass hardly any record is known, and each would read every file. The filter is the beginning of the same file, and
/// mapped: it takes none of the process's own memory.
struct FingerprintFilter: Sendable {
    private let words: FileMapping
    private let count: Int

    /// Whether an entry may be there; `false` only if it is not.
    func mayHold(_ high: UInt64) -> Bool {
        let bits = Self.bits(of: high)
        return words.word(Self.place(of: high, among: count)) & bits == bits
    }

    /// By the highest bits, as all bits of the hash are equally good: a sorted file fills the filter from beginning to end.
    private static func place(of high: UInt64, among count: Int) -> Int {
        Int(high.multipliedFullWidth(by: UInt64(count)).high)
    }

    /// By the lowest 18 bits.
    private static func bits(of high: UInt64) -> UInt64 {
        1 << (high & 63) | 1 << (high >> 6 & 63) | 1 << (high >> 12 & 63)
    }

    /// Writes the filter of entries that arrive in ascending order, a piece at a time.
    struct Writer {
        /// 4 KiB.
        private static let pieceSize = 512
        private let file: LedgerFile
        private let count: Int
        private var piece = [UInt64](repeating: 0, count: pieceSize)
        /// The index of the piece's first word.
        private var start = 0

        /// - Parameter entries: The approximate number of entries.
        init(_ file: LedgerFile, for entries: Int) {
            self.file = file
            count = max(1, entries / 8)
        }

        /// The number of bytes it takes at the beginning of the file.
        var byteCount: Int { count * MemoryLayout<UInt64>.stride }

        /// Adds an entry, which must not precede the last one.
        mutating func append(_ high: UInt64) throws(PlugError) {
            let place = FingerprintFilter.place(of: high, among: count)
            while place >= start + Self.pieceSize { try flush() }
            piece[place - start] |= FingerprintFilter.bits(of: high)
        }

        /// Writes the remainder and returns the filter.
        mutating func finish() throws(PlugError) -> FingerprintFilter {
            while start < count { try flush() }
            return FingerprintFilter(words: try file.mapping(byteCount), count: count)
        }

        private mutating func flush() throws(PlugError) {
            if count - start < piece.count { piece.removeLast(piece.count - (count - start)) }
            try file.write(piece, at: start * MemoryLayout<UInt64>.stride)
            start += piece.count
            for at in piece.indices { piece[at] = 0 }
        }
    }
}
