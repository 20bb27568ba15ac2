internal import PlugCore
internal import PlugFetch
internal import PlugManifest

/// Finds records with one `_id` but different contents: a `key` that is not unique collapses many records into one, and all but
/// the first are left out.
///
/// Looks only when a record turns out to be a repeat: at all records of its page, and at a sample of the pass.
struct IdentityConflicts: Equatable {
    private let remembers: Bool
    private var page: [ArraySlice<UInt8>: Int] = [:]
    private var isPageRead = false
    private var sample = ContentSample()
    /// The number of records left out.
    private(set) var count = 0
    private var first = ""

    /// - Parameter remembers: Whether contents are remembered. If the ledger compares them, it finds every conflict.
    init(remembers: Bool) { self.remembers = remembers }

    /// Begins a new page.
    ///
    /// - Parameter fingerprints: Those of its records, as far as they are known already.
    mutating func begin(_ fingerprints: [RecordFingerprint]) {
        page.removeAll(keepingCapacity: true)
        isPageRead = false
        if remembers { sample.prefetch(fingerprints) }
    }

    /// Remembers a record when it is first met.
    mutating func remember(_ index: Int, of block: RecordBlock, _ fingerprint: RecordFingerprint) {
        guard remembers, !block.entries[index].identity.isEmpty else { return }
        sample.insert(fingerprint.high, block.bytes, block.entries[index].range)
    }

    /// Records a record whose `_id` was met before in this pass.
    mutating func noteRepeat(_ index: Int, of block: RecordBlock, _ fingerprint: RecordFingerprint) {
        let entry = block.entries[index]
        guard !entry.identity.isEmpty else { return }
        if !isPageRead {
            isPageRead = true
            for (at, entry) in block.entries.enumerated().reversed() { page[block.identities[entry.identity]] = at }
        }
        if let earlier = page[block.identities[entry.identity]], earlier < index {
            if block.bytes[block.entries[earlier].range] == block.bytes[entry.range] { return }
        } else if !sample.contradicts(fingerprint.high, block.bytes, entry.range) {
            return
        }
        noteConflict(index, of: block)
    }

    /// Counts a record that is known to contradict one of this pass.
    mutating func noteConflict(_ index: Int, of block: RecordBlock) {
        count += 1
        if count > 1 { return }
        first = String(decoding: block.identities[block.entries[index].identity], as: UTF8.self)
    }

    /// The error of a pass with conflicting records; `nil` if there are none.
    ///
    /// - Parameter redactor: Needed because a service may repeat a secret in the parts of the key.
    func error(in stream: Stream, _ redactor: Redactor) -> PlugError? {
        guard count > 0 else { return nil }
        let identity = redactor.shown(stream.hidden.shown(identity: first)).prefix(100)
        return PlugError(
            .idConflict,
            "\(stream.places["key"]): \(count.counted("record was", "records were")) left out, because "
                + "another record of this pass has the same _id but different contents; the first: "
                + "'\(DisplayText.escaped(String(identity)))'",
            advice: "choose a 'key' that no two records share, and a 'version' that changes when a record changes",
            stream: stream.name
        )
    }
}
