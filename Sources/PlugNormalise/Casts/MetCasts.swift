/// Which casts of a stream's `fields` have met the member that they name, in at least one record.
struct MetCasts: Sendable, Equatable {
    private var words: [UInt64] = []

    mutating func insert(_ index: Int) {
        while words.count <= index / 64 { words.append(0) }
        words[index / 64] |= 1 << UInt64(index % 64)
    }

    /// Merges those that others have met.
    mutating func formUnion(_ other: MetCasts) {
        while words.count < other.words.count { words.append(0) }
        for (at, word) in other.words.enumerated() { words[at] |= word }
    }

    func contains(_ index: Int) -> Bool {
        index / 64 < words.count && words[index / 64] & (1 << UInt64(index % 64)) != 0
    }
}
