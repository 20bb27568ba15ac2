internal import PlugCore

/// Counts the records of one answer that have equal keys (`equal: count`), so that two equal rows of a file are two records.
///
/// The n-th of them has the number n on every reading of the answer: a file is read again from its start if reading was
/// interrupted. Rows on two pages are not counted together, because pages shift.
package struct EqualRecords: Sendable {
    /// Represents a key: two hashes, so that not even millions of keys collide by accident. They are seeded per process, so
    /// no one can construct colliding keys.
    private struct Mark: Hashable {
        let first: Int
        let second: Int

        init(_ key: ArraySlice<UInt8>) {
            var hasher = Hasher()
            key.withUnsafeBytes { hasher.combine(bytes: $0) }
            var other = hasher
            other.combine(0 as UInt8)
            (first, second) = (hasher.finalize(), other.finalize())
        }
    }

    /// How many different keys of one answer are told apart, in some 50 MB.
    package static let limit = 1_000_000

    private let limit: Int
    private var counts: [Mark: Int] = [:]
    /// What was counted on the current page.
    private var latest: [Mark] = []
    /// Whether there were more different keys than can be told apart.
    private(set) var isFull = false

    /// - Parameter limit: A different limit, for tests.
    package init(limit: Int = Self.limit) { self.limit = limit }

    /// Begins a page.
    ///
    /// - Parameter isNew: Whether the page does not continue the previous page's answer.
    mutating func begin(isNew: Bool) {
        latest.removeAll(keepingCapacity: true)
        if isNew { (counts, isFull) = ([:], false) }
    }

    /// Forgets what was counted since the page began: its records are processed again.
    package mutating func undo() {
        for mark in latest { counts[mark, default: 1] -= 1 }
        latest.removeAll(keepingCapacity: true)
    }

    /// The number of a record among those with an equal key, from 1.
    mutating func number(of key: ArraySlice<UInt8>) -> Int {
        let mark = Mark(key)
        if counts.count >= limit, counts[mark] == nil {
            isFull = true
            return 1
        }
        latest.append(mark)
        counts[mark, default: 0] += 1
        return counts[mark] ?? 1
    }
}
