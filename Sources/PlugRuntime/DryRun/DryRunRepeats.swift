internal import PlugCore

/// Which records of a dry run are repeats: it has no ledger, and a real run delivers each content of a record once.
struct DryRunRepeats {
    /// The number of records remembered; beyond it a dry run shows repeats too.
    private static let limit = 1_000_000

    private(set) var conflicts = IdentityConflicts()
    /// By the hash of the `_id`; `low` is the content's.
    private var met = FingerprintTable()

    /// Takes in a record.
    mutating func isRepeat(_ index: Int, of block: RecordBlock) -> Bool {
        let entry = block.entries[index]
        guard !entry.identity.isEmpty else { return false }
        if index == 0 { conflicts.begin() }
        let fingerprint = RecordFingerprint(
            high: Self.hash(block.identities[entry.identity]) | 1,
            low: Self.hash(block.bytes[entry.range]) | 1
        )
        var (isSame, isOther) = (false, false)
        met.forEach(high: fingerprint.high) { known in
            if known == fingerprint { isSame = true } else { isOther = true }
        }
        if isSame { return true }
        if isOther { conflicts.note(index, of: block) }
        if met.count < Self.limit { met.insert(fingerprint) }
        return false
    }

    private static func hash(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(bytes)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
