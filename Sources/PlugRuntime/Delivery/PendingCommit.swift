internal import PlugCore
internal import PlugStorage

/// What a page, or several, add to the state of a stream.
struct PendingCommit: Equatable {
    var states: [String: StreamState] = [:]
    var endsPass = false
    /// Fingerprints of records that are delivered, already present, known, dead-lettered or in the outbox.
    var proved: [RecordFingerprint] = []
    /// The things the records were about, if passes are compared.
    var inventory: [UInt8] = []
    /// Whether what the pass has found so far is incomplete.
    var dropsInventory = false
    var deadLetters: [DeadLetter] = []
    var outbox: [OutboxBatch] = []
    var refused: [RecordFingerprint] = []
    var settled: [RecordFingerprint] = []

    var isEmpty: Bool { self == PendingCommit() }

    /// Whether nothing but work is lost if the process dies before it is committed: the pages are read again, and their records
    /// proved again.
    var mayWait: Bool {
        !endsPass && inventory.isEmpty && !dropsInventory && deadLetters.isEmpty && outbox.isEmpty && refused.isEmpty
            && settled.isEmpty
    }

    /// What it adds to the store, roughly.
    var bytes: Int {
        states.reduce(proved.count * RecordFingerprint.packedSize) { $0 + $1.key.utf8.count + $1.value.bytes.count }
    }

    /// The number of records it puts into the outbox.
    var queued: Int { outbox.reduce(0) { $0 + $1.records.entries.count } }

    /// Takes the stream's progress out: what remains is valid whatever becomes of undecided records.
    mutating func takeStates() -> PendingCommit {
        defer { (states, endsPass) = ([:], false) }
        return PendingCommit(states: states, endsPass: endsPass)
    }
}

extension DeadLetter {
    /// A record that the PDA refused for good.
    ///
    /// - Parameter position: Its position in the selection.
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
