internal import LosslessJSON

/// Which casts of a stream's `fields` have met the member that they name, in at least one record, and what they made of its
/// numbers: a unit that is a thousand times too small puts all times next to 1970.
struct MetCasts: Sendable, Equatable {
    private var named = CastSet()
    private var early = CastSet()
    private var later = CastSet()

    mutating func insert(_ index: Int) { named.insert(index) }

    func contains(_ index: Int) -> Bool { named.contains(index) }

    /// Notes what a cast made of a value. Zero often stands for no time.
    mutating func note(_ index: Int, _ value: JSONValue, _ time: JSONValue) {
        guard case .string(let text) = time, Self.isNumber(value) else { return }
        if text.text.hasPrefix("1970-01-") { early.insert(index) } else { later.insert(index) }
    }

    /// Whether a cast put all numbers into January 1970.
    func areDoubtful(_ index: Int) -> Bool { early.contains(index) && !later.contains(index) }

    /// Merges what others have met.
    mutating func formUnion(_ other: MetCasts) {
        named.formUnion(other.named)
        early.formUnion(other.early)
        later.formUnion(other.later)
    }

    private static func isNumber(_ value: JSONValue) -> Bool {
        guard let text = value.number?.text ?? value.stringText else { return false }
        return text.utf8.allSatisfy { 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }
            && text.utf8.contains { 0x31...0x39 ~= $0 }
    }
}

/// Some of a stream's casts, by their places in `fields`.
private struct CastSet: Sendable, Equatable {
    private var words: [UInt64] = []

    mutating func insert(_ index: Int) {
        while words.count <= index / 64 { words.append(0) }
        words[index / 64] |= 1 << UInt64(index % 64)
    }

    mutating func formUnion(_ other: CastSet) {
        while words.count < other.words.count { words.append(0) }
        for (at, word) in other.words.enumerated() { words[at] |= word }
    }

    func contains(_ index: Int) -> Bool {
        index / 64 < words.count && words[index / 64] & (1 << UInt64(index % 64)) != 0
    }
}
