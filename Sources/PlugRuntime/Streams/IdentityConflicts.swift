internal import PlugCore
internal import PlugFetch
internal import PlugManifest

/// Finds records of one `_id` with different contents: a `key` that is not unique makes one record of many, and all but
/// the first are left out.
///
/// It looks when a record turns out to be a repeat, within the page; for streams with parents also at the last few
/// thousand records before it, as a key that lacks the parent repeats from page to page.
struct IdentityConflicts {
    /// How many records of earlier pages are compared.
    private static let window = 1 << 14

    private let remembers: Bool
    private var page: [ArraySlice<UInt8>: Int] = [:]
    private var isPageRead = false
    private var contents: [UInt64: UInt64] = [:]
    private var count = 0
    private var first = ""

    /// - Parameter remembers: Whether records of earlier pages are compared, too.
    init(remembers: Bool) { self.remembers = remembers }

    /// A new page begins.
    mutating func begin() {
        page.removeAll(keepingCapacity: true)
        isPageRead = false
    }

    /// Remembers a record that is met for the first time.
    mutating func remember(_ index: Int, of block: RecordBlock, _ fingerprint: RecordFingerprint) {
        guard remembers else { return }
        if contents.count >= Self.window { contents.removeAll(keepingCapacity: true) }
        contents[fingerprint.high] = Self.hash(block.bytes[block.entries[index].range])
    }

    /// Takes in a record whose `_id` was met before in this pass.
    mutating func noteRepeat(_ index: Int, of block: RecordBlock, _ fingerprint: RecordFingerprint) {
        let entry = block.entries[index]
        guard !entry.identity.isEmpty else { return }
        if !isPageRead {
            isPageRead = true
            for (at, entry) in block.entries.enumerated().reversed() { page[block.identities[entry.identity]] = at }
        }
        let bytes = block.bytes[entry.range]
        if let earlier = page[block.identities[entry.identity]], earlier < index {
            if block.bytes[block.entries[earlier].range] == bytes { return }
        } else {
            guard let content = contents[fingerprint.high], content != Self.hash(bytes) else { return }
        }
        count += 1
        if count == 1 { first = String(decoding: block.identities[entry.identity], as: UTF8.self) }
    }

    /// The error of a pass with such records, `nil` without any.
    ///
    /// - Parameter redactor: A service may repeat a secret in what the key is made of.
    func error(in stream: Stream, _ redactor: Redactor) -> PlugError? {
        guard count > 0 else { return nil }
        let identity = redactor.shown(identity: first).prefix(100)
        return PlugError(
            "id-conflict",
            exit: .failed,
            "\(stream.places["key"]): \(count == 1 ? "1 record was" : "\(count) records were") left out, because "
                + "another record of this pass has the same _id but different contents; the first: "
                + "'\(DisplayText.escaped(String(identity)))'",
            advice: "choose a 'key' that no two records share, and a 'version' that changes when a record changes",
            stream: stream.name
        )
    }

    /// FNV-1a: against accidents only.
    private static func hash(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    }
}
