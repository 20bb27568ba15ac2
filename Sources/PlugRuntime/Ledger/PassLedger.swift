internal import PlugCore
internal import PlugStorage
internal import Synchronization

/// What is proved of a stream: loaded from the store, looked up for each record, and written back a row at a time.
///
/// A row begins with a header: a fingerprint whose `high` is zero and whose `low` names the `map` it was written under.
struct PassLedger {
    private(set) var known: FingerprintSet
    private let signature: UInt64
    private let contents: FingerprintSet.Contents

    /// Loads what earlier passes and the open pass have proved.
    ///
    /// - Parameter kin: Other streams whose records are the same things: what they delivered counts as known here, in any form.
    init(
        _ stream: StreamID,
        pass: Int64,
        _ fingerprinter: Fingerprinter,
        hasRows: Bool,
        kin: [StreamID] = [],
        from store: any PassStore
    ) async throws {
        signature = fingerprinter.mapSignature
        contents = fingerprinter.contents
        guard hasRows || !kin.isEmpty else {
            known = FingerprintSet(contents, folder: store.scratchFolder)
            return
        }
        let contents = contents
        let loading = Mutex(Loading(set: FingerprintSet(contents, folder: store.scratchFolder)))
        let signature = signature
        for source in (hasRows ? [stream] : []) + kin {
            let isKin = source != stream
            try await store.forEachLedgerRow(of: source) { rowPass, packed in
                loading.withLock { loading in
                    // The disk is already full: more would only fill memory.
                    guard loading.failure == nil else { return }
                    var isSameMap = !isKin
                    RecordFingerprint.forEach(in: packed) { entry in
                        if entry.high == 0 {
                            isSameMap = !isKin && entry.low == signature
                            return
                        }
                        // A thing without a version may have changed since an earlier process met it: its content decides.
                        let isMet = rowPass == pass && contents != .decisive && !isKin
                        loading.set.insert(entry, isMet: isMet, inAnyForm: !isSameMap)
                    }
                    guard loading.set.isFull else { return }
                    do throws(PlugError) { try loading.set.spill() } catch { loading.failure = error }
                }
            }
        }
        known = try loading.withLock { loading in
            if let failure = loading.failure { throw failure }
            return loading.set
        }
    }

    private struct Loading {
        var set: FingerprintSet
        var failure: PlugError?
    }

    /// What was known of a record before this call.
    ///
    /// - Throws: `PlugError` `store-failed` (75).
    mutating func meet(_ fingerprint: RecordFingerprint) throws(PlugError) -> FingerprintSet.Finding {
        try known.meet(fingerprint)
    }

    /// The same for a page's records, in order.
    mutating func meet(_ fingerprints: [RecordFingerprint]) throws(PlugError) -> [FingerprintSet.Finding] {
        known.prefetch(fingerprints)
        var findings: [FingerprintSet.Finding] = []
        findings.reserveCapacity(fingerprints.count)
        for fingerprint in fingerprints { findings.append(try meet(fingerprint)) }
        return findings
    }

    /// Moves entries that exceed the memory limit to disk, on a thread that may block.
    ///
    /// - Throws: `PlugError` `store-failed` (75).
    mutating func relieveMemory() async throws {
        guard known.isFull else { return }
        // Moved rather than copied: only one table should be in memory.
        let moved = Mutex(FingerprintSet(contents))
        moved.withLock { swap(&$0, &known) }
        defer { moved.withLock { swap(&$0, &known) } }
        try await onAThreadOfItsOwn { () throws(PlugError) in
            try moved.withLock { (set) throws(PlugError) in try set.spill() }
        }
    }

    /// A row of these fingerprints; empty if there are none.
    func row(_ fingerprints: [RecordFingerprint]) -> [UInt8] {
        guard !fingerprints.isEmpty else { return [] }
        return RecordFingerprint.packed([RecordFingerprint(high: 0, low: signature)] + fingerprints)
    }
}
