internal import PlugCore
internal import PlugStorage

/// What has happened since the last commit of a stream.
struct PendingCommit: Equatable {
    var states: [String: StreamState] = [:]
    var endsPass = false
    /// Fingerprints of records that are delivered, present, known, dead letters or in the outbox.
    var proved: [RecordFingerprint] = []
    /// What the records were about, where passes are compared.
    var inventory: [UInt8] = []
    /// Whether what the pass has found so far is not all of it.
    var dropsInventory = false
    var deadLetters: [DeadLetter] = []
    var outbox: [OutboxBatch] = []
    var refused: [RecordFingerprint] = []
    var settled: [RecordFingerprint] = []

    var isEmpty: Bool { self == PendingCommit() }

    /// How many records it puts into the outbox.
    var queued: Int { outbox.reduce(0) { $0 + $1.records.entries.count } }

    /// Takes out how far the stream has come: what remains is valid whatever becomes of undecided records.
    mutating func takeStates() -> PendingCommit {
        defer { (states, endsPass) = ([:], false) }
        return PendingCommit(states: states, endsPass: endsPass)
    }
}

extension DeadLetter {
    /// A record that the PDA refused for good.
    ///
    /// - Parameter position: Its place in the selection.
    static func refused(_ records: SelectedRecords, _ position: Int, to path: DataPath, _ reason: String) -> DeadLetter
    {
        let (block, entry) = (records.block, records.block.entries[records.indexes[position]])
        return DeadLetter(
            stage: .deliver,
            code: PlugError.Code.refused.text,
            reason: reason,
            record: Array(block.bytes[entry.range]),
            identity: String(decoding: block.identities[entry.identity], as: UTF8.self),
            path: path
        )
    }
}
