internal import PlugCore

/// Fingerprints by the million: 16 bytes each in open addressing, in segments that grow one at a time, so that growing
/// never holds the whole set twice.
///
/// An entry remembers whether it was met in this pass. In a *content* set (streams without a version) `high` is the
/// identity's hash and `low` the content's, and an entry whose content was written under another `map` stands for any.
struct FingerprintSet {
    /// What the set knows of a record.
    enum Finding { case unknown, knownBefore, metInThisPass }

    private struct Segment {
        var slots: [RecordFingerprint]
        var count = 0
    }

    /// A content that stands for any; keyed hashes hit it by chance once in 2^63.
    static let anyContent: UInt64 = 0

    private static let empty = RecordFingerprint(high: 0, low: 0)
    private static let segmentBits = 4
    private var segments: [Segment]
    private let comparesContent: Bool

    init(comparesContent: Bool) {
        self.comparesContent = comparesContent
        segments = (0..<(1 << Self.segmentBits)).map { _ in Segment(slots: []) }
    }

    /// How many entries it holds.
    var count: Int { segments.reduce(0) { $0 + $1.count } }

    func find(_ fingerprint: RecordFingerprint) -> Finding {
        let key = Self.key(fingerprint)
        let segment = segments[Self.segment(key.high)]
        guard !segment.slots.isEmpty else { return .unknown }
        var finding = Finding.unknown
        var at = Self.home(key.high, segment.slots.count)
        while segment.slots[at] != Self.empty {
            let slot = segment.slots[at]
            if slot.high == key.high {
                let isMet = slot.low & 1 == 1
                let isSame = slot.low >> 1 == key.low >> 1
                if isMet, comparesContent || isSame { return .metInThisPass }
                if isSame || (comparesContent && slot.low >> 1 == Self.anyContent) { finding = .knownBefore }
            }
            at = at + 1 == segment.slots.count ? 0 : at + 1
        }
        return finding
    }

    /// Adds a record of an earlier pass, or marks one as met in this pass.
    mutating func insert(_ fingerprint: RecordFingerprint, isMet: Bool) {
        let key = Self.key(fingerprint)
        let index = Self.segment(key.high)
        if (segments[index].count + 1) * 8 > segments[index].slots.count * 7 { grow(index) }
        var entry = key
        entry.low = key.low & ~1 | (isMet ? 1 : 0)
        Self.place(entry, in: &segments[index])
    }

    private static func place(_ entry: RecordFingerprint, in segment: inout Segment) {
        var at = home(entry.high, segment.slots.count)
        while segment.slots[at] != empty {
            if segment.slots[at].high == entry.high, segment.slots[at].low >> 1 == entry.low >> 1 {
                segment.slots[at].low |= entry.low & 1
                return
            }
            at = at + 1 == segment.slots.count ? 0 : at + 1
        }
        segment.slots[at] = entry
        segment.count += 1
    }

    private mutating func grow(_ index: Int) {
        let old = segments[index].slots
        let capacity = max(64, old.count + old.count / 4)
        segments[index] = Segment(slots: Array(repeating: Self.empty, count: capacity))
        for entry in old where entry != Self.empty { Self.place(entry, in: &segments[index]) }
    }

    /// Zero marks an empty slot, so that no key may be zero.
    private static func key(_ fingerprint: RecordFingerprint) -> RecordFingerprint {
        RecordFingerprint(high: fingerprint.high == 0 ? 1 : fingerprint.high, low: fingerprint.low)
    }

    private static func segment(_ hash: UInt64) -> Int { Int(hash >> (64 - UInt64(segmentBits))) }

    /// Spreads the bits below the segment's over the slots.
    private static func home(_ hash: UInt64, _ slots: Int) -> Int {
        Int((hash << UInt64(segmentBits)).multipliedFullWidth(by: UInt64(slots)).high)
    }
}
