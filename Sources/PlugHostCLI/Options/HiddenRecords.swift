internal import ArgumentParser
internal import PlugCore
internal import PlugStorage

/// The parts of stored records to hide: what the manifests of their streams' last runs marked as sensitive.
struct HiddenRecords {
    private let store: any PassStore
    private var known: [StreamID: HiddenMembers] = [:]

    init(in store: any PassStore) { self.store = store }

    /// The hidden parts of a stream's records.
    mutating func of(_ stream: StreamID) async throws -> HiddenMembers {
        if let hidden = known[stream] { return hidden }
        let hidden = try await store.profile(of: stream)?.hidden ?? HiddenMembers()
        known[stream] = hidden
        return hidden
    }

    /// A dead letter with sensitive parts hidden.
    mutating func shown(_ stored: StoredDeadLetter) async throws -> StoredDeadLetter {
        var shown = stored
        let stream = StreamID(connection: stored.connection, stream: stored.stream)
        shown.letter = stored.letter.shown(hiding: try await of(stream))
        return shown
    }
}

/// `--reveal`
struct RevealOption: ParsableArguments {
    @Flag(help: "Also show members that the manifest marks as sensitive.")
    var reveal = false
}
