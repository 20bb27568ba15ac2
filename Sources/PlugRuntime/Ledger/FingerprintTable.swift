internal import CPrefetch
internal import PlugCore

/// Fingerprints in memory: 16 bytes each in open addressing.
///
/// The lowest bit of `low` is used as the mark of an entry met in this pass; a hash keeps 127 bits.
struct FingerprintTable: Equatable {
    private static let empty = RecordFingerprint(high: 0, low: 0)
    private static let smallest = 64
    /// Up to this size, which is 4 MiB, a full table grows fourfold, beyond it twofold: each growth allocates all of its memory
    /// again, which costs more than using it.
    private static let growsFast = 1 << 18

    private var slots: [RecordFingerprint]
    private(set) var count = 0

    init() { slots = Array(repeating: Self.empty, count: Self.smallest) }

    /// How many entries it takes before it grows again: with more, searching for absent entries takes long.
    var capacity: Int { slots.count / 8 * 5 }

    /// The memory it takes, in bytes.
    var bytes: Int { slots.count * MemoryLayout<RecordFingerprint>.stride }

    /// Visits the entries with the same `high`.
    @inline(__always)
    func forEach(high: UInt64, _ body: (RecordFingerprint) -> Void) {
        slots.withUnsafeBufferPointer { slots in
            var at = Self.home(high, slots.count)
            while slots[at].high != 0 {
                if slots[at].high == high { body(slots[at]) }
                at = (at + 1) & (slots.count - 1)
            }
        }
    }

    /// Visits the entries with the same `high` as one that may be added afterwards.
    ///
    /// - Returns: Its slot, or the free one where it belongs; valid until the table changes.
    @inline(__always)
    func place(of entry: RecordFingerprint, visiting body: (RecordFingerprint) -> Void) -> Int {
        slots.withUnsafeBufferPointer { slots in
            var at = Self.home(entry.high, slots.count)
            var found: Int?
            while slots[at].high != 0 {
                if slots[at].high == entry.high {
                    body(slots[at])
                    if slots[at].low | 1 == entry.low | 1 { found = at }
                }
                at = (at + 1) & (slots.count - 1)
            }
            return found ?? at
        }
    }

    /// Adds an entry, or adds its mark to the existing one.
    ///
    /// - Parameter place: What `place(of:visiting:)` has returned for it.
    mutating func insert(_ entry: RecordFingerprint, at place: Int) {
        if slots[place].high != 0 {
            slots[place].low |= entry.low
        } else if count >= capacity {
            grow()
            insert(entry)
        } else {
            slots[place] = entry
            count += 1
        }
    }

    /// Has the processor fetch the slots of some entries, all at the same time: a table of millions fits into no cache, and each
    /// slot would have to be waited for.
    func prefetch(_ fingerprints: [RecordFingerprint]) {
        slots.withUnsafeBufferPointer { slots in
            guard let base = slots.baseAddress else { return }
            for fingerprint in fingerprints {
                plughost_prefetch(base + Self.home(fingerprint.high, slots.count))
            }
        }
    }

    /// Adds an entry, or adds its mark to the existing one.
    mutating func insert(_ entry: RecordFingerprint) {
        insert(entry, at: place(of: entry) { _ in })
    }

    /// Hands over all entries in the order of their bits; the table is then empty and keeps its capacity.
    ///
    /// Works in place: a set that is moved to disk because memory is short must not need more of it. Entries are close to their
    /// final positions, as a slot is chosen by the highest bits, so insertion sort has little to do.
    mutating func drainSorted<Failure: Error>(
        _ body: (UnsafeBufferPointer<RecordFingerprint>) throws(Failure) -> Void
    ) throws(Failure) {
        var failure: Failure?
        let filled = count
        slots.withUnsafeMutableBufferPointer { slots in
            var end = 0
            for at in slots.indices where slots[at].high != 0 {
                let entry = slots[at]
                slots[at] = Self.empty
                var place = end
                while place > 0, RecordFingerprint.isAscending(entry, slots[place - 1]) {
                    slots[place] = slots[place - 1]
                    place -= 1
                }
                slots[place] = entry
                end += 1
            }
            do throws(Failure) { try body(UnsafeBufferPointer(rebasing: slots[..<filled])) } catch { failure = error }
            for at in slots.indices { slots[at] = Self.empty }
        }
        count = 0
        if let failure { throw failure }
    }

    private mutating func grow() {
        let factor = slots.count < Self.growsFast ? 4 : 2
        var larger = Array(repeating: Self.empty, count: slots.count * factor)
        for entry in slots where entry.high != 0 { Self.place(entry, in: &larger) }
        slots = larger
    }

    /// Puts an entry that the slots do not have into the first free one.
    private static func place(_ entry: RecordFingerprint, in slots: inout [RecordFingerprint]) {
        slots.withUnsafeMutableBufferPointer { slots in
            var at = home(entry.high, slots.count)
            while slots[at].high != 0 { at = (at + 1) & (slots.count - 1) }
            slots[at] = entry
        }
    }

    /// A keyed hash is as uniform in its highest bits as anywhere.
    @inline(__always)
    private static func home(_ high: UInt64, _ count: Int) -> Int {
        Int(high >> UInt64(64 - count.trailingZeroBitCount))
    }
}

extension RecordFingerprint {
    /// The order of files on disk: by the bits of the hash, the mark last.
    static func isAscending(_ left: RecordFingerprint, _ right: RecordFingerprint) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }
}
