internal import PlugCore
internal import PlugStorage

/// The records that wait in the outbox of one stream. A newer version of one of them waits behind it, so that the PDA stores
/// versions in order; and no record waits twice.
struct WaitingRecords: Equatable {
    /// Hashes of the things the records are about: an accidental match merely makes a record wait.
    private var things: Set<Int> = []
    private var fingerprints: Set<RecordFingerprint> = []

    mutating func insert(_ index: Int, of block: RecordBlock, _ fingerprint: RecordFingerprint) {
        fingerprints.insert(fingerprint)
        if let hash = Self.hash(index, block) { things.insert(hash) }
    }

    mutating func insert(_ batch: OutboxBatch) {
        for (index, fingerprint) in zip(batch.records.entries.indices, RecordFingerprint.all(in: batch.fingerprints)) {
            insert(index, of: batch.records, fingerprint)
        }
    }

    /// Whether this very record waits.
    func contains(_ fingerprint: RecordFingerprint) -> Bool { fingerprints.contains(fingerprint) }

    /// Whether a version of the same record waits.
    func containsVersion(_ index: Int, of block: RecordBlock) -> Bool {
        if things.isEmpty { return false }
        return Self.hash(index, block).map { things.contains($0) } ?? false
    }

    /// `nil` for a record without `_id` and key: it is unknown what it is a version of.
    private static func hash(_ index: Int, _ block: RecordBlock) -> Int? {
        let thing = block.thing(index)
        return thing.isEmpty ? nil : thing.hashValue
    }
}
