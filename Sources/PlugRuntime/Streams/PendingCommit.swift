internal import PlugCore
internal import PlugStorage

/// What has happened since the last commit of a stream.
struct PendingCommit {
    var states: [String: StreamState] = [:]
    var endsPass = false
    /// Fingerprints of records that are delivered, present, known, dead letters or in the outbox.
    var proved: [RecordFingerprint] = []
    var deadLetters: [DeadLetter] = []
    var outbox: [OutboxBatch] = []
    var refused: [RecordFingerprint] = []
    var settled: [RecordFingerprint] = []
    var undecided = UndecidedRecords()

    var isEmpty: Bool {
        states.isEmpty && !endsPass && proved.isEmpty && deadLetters.isEmpty && outbox.isEmpty && refused.isEmpty
            && settled.isEmpty
    }

    /// Takes out what holds whatever becomes of the undecided records: everything but how far the stream has come.
    mutating func takeProof() -> PendingCommit {
        var proof = self
        proof.states = [:]
        proof.endsPass = false
        proof.undecided = UndecidedRecords()
        let (states, endsPass, undecided) = (states, endsPass, undecided)
        self = PendingCommit()
        (self.states, self.endsPass, self.undecided) = (states, endsPass, undecided)
        return proof
    }
}

/// Records that the PDA refused alone, once: kept in hand until it is clear whose fault it is.
struct UndecidedRecords {
    /// More than these at a time are no accident.
    static let limit = 100

    private(set) var block = RecordBlock()
    private(set) var fingerprints: [RecordFingerprint] = []

    var count: Int { fingerprints.count }
    var isEmpty: Bool { fingerprints.isEmpty }

    /// Copies a record out of its page.
    mutating func append(_ source: RecordBlock, _ entry: RecordBlock.Entry, _ fingerprint: RecordFingerprint) {
        block.append(source.bytes[entry.range], identity: source.identities[entry.identity])
        fingerprints.append(fingerprint)
    }
}

extension DeadLetter {
    /// A record that the PDA refused for good.
    static func refused(_ block: RecordBlock, _ entry: RecordBlock.Entry, to path: DataPath, _ reason: String)
        -> DeadLetter
    {
        DeadLetter(
            stage: .deliver,
            code: PlugError.Code.refused.text,
            reason: reason,
            record: Array(block.bytes[entry.range]),
            identity: String(decoding: block.identities[entry.identity], as: UTF8.self),
            path: path
        )
    }
}
