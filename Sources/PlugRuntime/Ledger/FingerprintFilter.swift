internal import PlugCore

/// Tells of most fingerprints that are not in a file that they are not, without reading entries: a Bloom filter of one byte for each
/// entry, of which each has three bits in one word. Some 4 % of those that are not there are let through.
///
/// In a first pass hardly any record is known, and each would read every file. The filter is the beginning of the same file, and
/// mapped: it takes nothing of the process' own memory.
struct FingerprintFilter: Sendable {
    private let words: FileMapping
    private let count: Int

    /// Whether an entry may be there; `false` only where it is not.
    func mayHold(_ high: UInt64) -> Bool {
        let bits = Self.bits(of: high)
        return words.word(Self.place(of: high, among: count)) & bits == bits
    }

    /// By the highest bits, of which all of the hash are as good as any other: a sorted file fills it from its beginning to its end.
    private static func place(of high: UInt64, among count: Int) -> Int {
        Int(high.multipliedFullWidth(by: UInt64(count)).high)
    }

    /// By the lowest 18 bits.
    private static func bits(of high: UInt64) -> UInt64 {
        1 << (high & 63) | 1 << (high >> 6 & 63) | 1 << (high >> 12 & 63)
    }

    /// Writes the filter of entries that come in ascending order, a piece at a time.
    struct Writer {
        /// 4 KiB.
        private static let pieceSize = 512
        private let file: LedgerFile
        private let count: Int
        private var piece = [UInt64](repeating: 0, count: pieceSize)
        /// Which word the piece begins with.
        private var start = 0

        /// - Parameter entries: How many there will be, about.
        init(_ file: LedgerFile, for entries: Int) {
            self.file = file
            count = max(1, entries / 8)
        }

        /// How many bytes it takes at the beginning of the file.
        var byteCount: Int { count * MemoryLayout<UInt64>.stride }

        /// Adds an entry, which is not before the last one.
        mutating func append(_ high: UInt64) throws(PlugError) {
            let place = FingerprintFilter.place(of: high, among: count)
            while place >= start + Self.pieceSize { try flush() }
            piece[place - start] |= FingerprintFilter.bits(of: high)
        }

        /// Writes what is left, and gives the filter.
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
