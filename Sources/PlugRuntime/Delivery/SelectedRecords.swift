internal import PlugCore
internal import PlugDeliver
internal import PlugStorage

/// Some records of a block, in order, each with its fingerprint.
struct SelectedRecords: Equatable {
    var block = RecordBlock()
    /// Indexes into the block's entries.
    var indexes: [Int] = []
    /// One for each index.
    var fingerprints: [RecordFingerprint] = []

    var count: Int { indexes.count }
    var isEmpty: Bool { indexes.isEmpty }

    /// Those at some positions of the selection.
    func at(_ positions: [Int]) -> SelectedRecords {
        SelectedRecords(
            block: block,
            indexes: positions.map { indexes[$0] },
            fingerprints: positions.map { fingerprints[$0] }
        )
    }

    /// Copies a record out of its page.
    mutating func append(copying position: Int, of other: SelectedRecords) {
        let entry = other.block.entries[other.indexes[position]]
        indexes.append(block.entries.count)
        block.append(other.block.bytes[entry.range], identity: other.block.identities[entry.identity])
        fingerprints.append(other.fingerprints[position])
    }

    /// The same as batches of the outbox, each of one request.
    ///
    /// - Parameters:
    ///   - options: How large the deliverer's requests may be.
    ///   - unanswered: Whether the PDA gave no answer to them while it took others.
    func batches(to path: DataPath, _ options: DeliveryOptions, unanswered: Bool) -> [OutboxBatch] {
        var batches: [OutboxBatch] = []
        var start = 0
        while start < count {
            let end = block.endOfBatch(
                from: start,
                in: indexes,
                records: options.maximumBatchRecords,
                bytes: options.maximumBatchBytes
            )
            batches.append(
                OutboxBatch(
                    path: path,
                    records: RecordBlock(copying: indexes[start..<end], of: block),
                    fingerprints: RecordFingerprint.packed(fingerprints[start..<end]),
                    unanswered: unanswered ? 1 : 0
                )
            )
            start = end
        }
        return batches
    }
}
