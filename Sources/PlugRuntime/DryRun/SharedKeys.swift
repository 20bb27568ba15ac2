internal import PlugCore
internal import PlugFetch
internal import PlugManifest

/// Finds different records of a dry run that share one key: with a `version` each is stored as one more version of one thing, and
/// no `_id` shows that the key is too short.
struct SharedKeys {
    /// The number of keys remembered; beyond it a dry run reports nothing.
    private static let limit = 1_000_000

    /// For each key's hash, the hash of the `_id` with which it was first met.
    private var met: [Int: Int] = [:]
    private var records = 0
    private var count = 0
    private var first = ""

    /// Takes in a record.
    mutating func note(_ index: Int, of block: RecordBlock) {
        let range = block.entries[index].identity
        guard !range.isEmpty else { return }
        records += 1
        let unversioned = block.unversionedIdentity(index)
        let (key, whole) = (unversioned.hashValue, block.identities[range].hashValue)
        guard let known = met[key] else {
            if met.count < Self.limit { met[key] = whole }
            return
        }
        guard known != whole else { return }
        count += 1
        if count == 1 { first = String(decoding: unversioned, as: UTF8.self) }
    }

    /// The fault to report; `nil` if each record has a key of its own.
    func fault(_ stream: PlugManifest.Stream, _ redactor: Redactor) -> PlugError? {
        guard count > 0 else { return nil }
        let identity = redactor.shown(stream.hidden.shown(identity: first)).prefix(100)
        return PlugError(
            .keyShared,
            "\(stream.places["key"]): \(count) of \(records) records \(count == 1 ? "has" : "have") the key of another record, and "
                + "only 'version' tells them apart; the first: '\(DisplayText.escaped(String(identity)))'",
            advice: "if they are different things, choose a 'key' that no two of them share",
            stream: stream.name
        )
    }
}
