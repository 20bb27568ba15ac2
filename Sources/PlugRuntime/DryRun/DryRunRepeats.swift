internal import PlugCore

/// Which records of a dry run are repeats: it has no ledger, and a real run delivers only the first of each.
struct DryRunRepeats {
    /// The number of records remembered; beyond it a dry run shows repeats too.
    private static let limit = 1_000_000

    private(set) var conflicts = IdentityConflicts(remembers: true)
    private var met: Set<UInt64> = []

    /// Takes in a record.
    mutating func isRepeat(_ index: Int, of block: RecordBlock) -> Bool {
        let entry = block.entries[index]
        guard !entry.identity.isEmpty else { return false }
        if index == 0 { conflicts.begin([]) }
        var hasher = Hasher()
        hasher.combine(block.identities[entry.identity])
        let mark = UInt64(bitPattern: Int64(hasher.finalize()))
        let fingerprint = RecordFingerprint(high: mark, low: 0)
        if met.contains(mark) {
            conflicts.noteRepeat(index, of: block, fingerprint)
            return true
        }
        if met.count < Self.limit { met.insert(mark) }
        conflicts.remember(index, of: block, fingerprint)
        return false
    }
}
