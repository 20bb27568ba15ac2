internal import PlugCore
internal import PlugStore
internal import Synchronization

/// What is proved of a stream: loaded from the store, asked for each record, and written back a row at a time.
///
/// A row begins with a header, a fingerprint whose `high` is zero and whose `low` names the `map` it was written under.
struct PassLedger {
    private(set) var known: FingerprintSet
    private let signature: UInt64

    /// Loads what earlier passes and the open pass have proved.
    init(
        _ stream: StreamID,
        pass: Int64,
        _ fingerprinter: Fingerprinter,
        from store: (any PlugStore)?
    ) async throws {
        signature = fingerprinter.mapSignature
        let comparesContent = fingerprinter.comparesContent
        let loading = Mutex(FingerprintSet(comparesContent: comparesContent))
        let signature = signature
        try await store?.forEachLedgerRow(of: stream) { rowPass, packed in
            loading.withLock { set in
                var isSameMap = true
                RecordFingerprint.forEach(in: packed) { entry in
                    if entry.high == 0 {
                        isSameMap = entry.low == signature
                        return
                    }
                    var entry = entry
                    if comparesContent, !isSameMap { entry.low = FingerprintSet.anyContent }
                    // Met by an earlier process, a thing without a version may have changed since: its content decides.
                    set.insert(entry, isMet: rowPass == pass && !comparesContent)
                }
            }
        }
        known = loading.withLock { $0 }
    }

    /// Marks a record as met in this pass.
    mutating func meet(_ fingerprint: RecordFingerprint) { known.insert(fingerprint, isMet: true) }

    /// A row of these fingerprints, empty for none.
    func row(_ fingerprints: [RecordFingerprint]) -> [UInt8] {
        guard !fingerprints.isEmpty else { return [] }
        var packed: [UInt8] = []
        packed.reserveCapacity((fingerprints.count + 1) * RecordFingerprint.packedSize)
        RecordFingerprint(high: 0, low: signature).pack(into: &packed)
        for fingerprint in fingerprints { fingerprint.pack(into: &packed) }
        return packed
    }
}
