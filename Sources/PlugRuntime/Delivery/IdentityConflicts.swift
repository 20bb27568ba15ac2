internal import PlugCore
internal import PlugFetch
internal import PlugManifest

/// Counts records that have the `_id` of another record of the pass, but different contents. All of them are delivered; what is
/// judged here is the manifest.
///
/// A thing that is edited between two requests is met in both states, which is ordinary. Two states of one thing in one page are
/// not, nor are many edits during one pass: then several things share a `key`.
struct IdentityConflicts: Equatable {
    /// Up to this many things may be edited during a pass, or a tenth of its records, before the key is in doubt.
    private static let ordinaryEdits = 10

    private var page: [ArraySlice<UInt8>: Int] = [:]
    private var isPageRead = false
    /// Records that contradict another one of their page.
    private var inPages = 0
    /// Records that contradict one of another page.
    private var betweenPages = 0
    private var first = ""

    /// Begins a new page.
    mutating func begin() {
        if isPageRead { page.removeAll(keepingCapacity: true) }
        isPageRead = false
    }

    /// Counts a record whose `_id` was met with other contents in this pass.
    mutating func note(_ index: Int, of block: RecordBlock) {
        if !isPageRead {
            isPageRead = true
            for (at, entry) in block.entries.enumerated().reversed() { page[block.identities[entry.identity]] = at }
        }
        let identity = block.identities[block.entries[index].identity]
        if page[identity] ?? index < index { inPages += 1 } else { betweenPages += 1 }
        if inPages + betweenPages == 1 || inPages == 1 { first = String(decoding: identity, as: UTF8.self) }
    }

    /// The number of records, among those of the pass so far, that show that several things share a key.
    func count(among records: Int) -> Int {
        let isOrdinary = betweenPages < Self.ordinaryEdits || betweenPages * 10 <= records
        return inPages + (isOrdinary ? 0 : betweenPages)
    }

    /// The error of a pass with such records; `nil` if there are none.
    ///
    /// - Parameters:
    ///   - records: The number of records of the pass.
    ///   - redactor: Needed because a service may repeat a secret in the parts of the key.
    func error(in stream: Stream, among records: Int, _ redactor: Redactor) -> PlugError? {
        let count = count(among: records)
        guard count > 0 else { return nil }
        let identity = redactor.shown(stream.hidden.shown(identity: first)).prefix(100)
        return PlugError(
            .idConflict,
            "\(stream.places["key"]): \(count.counted("record has", "records have")) the _id of another record of this pass but "
                + "different contents; the first: '\(DisplayText.escaped(String(identity)))'",
            advice: "choose a 'key' that no two records share, and a 'version' that changes when a record changes",
            stream: stream.name
        )
    }
}
