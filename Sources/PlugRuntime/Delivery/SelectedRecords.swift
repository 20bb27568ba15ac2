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

    /// The records at the given positions of the selection.
    func at(_ positions: some Collection<Int>) -> SelectedRecords {
        SelectedRecords(
            block: block,
            indexes: positions.map { indexes[$0] },
            fingerprints: positions.map { fingerprints[$0] }
        )
    }

    /// Copies a record out of its page.
    mutating func append(copying position: Int, of other: SelectedRecords) {
        indexes.append(block.entries.count)
        block.append(copying: other.indexes[position], of: other.block)
        fingerprints.append(other.fingerprints[position])
    }
}

// MARK: - The outbox

extension SelectedRecords {
    /// All records of a batch.
    init(of batch: OutboxBatch) {
        block = batch.records
        indexes = Array(block.entries.indices)
        fingerprints = RecordFingerprint.all(in: batch.fingerprints)
    }

    /// The records as one batch.
    ///
    /// - Parameter unanswered: How often the PDA failed to answer them while it accepted others.
    func batch(to path: DataPath, unanswered: Int) -> OutboxBatch {
        let records = RecordBlock(copying: indexes, of: block)
        let packed = RecordFingerprint.packed(fingerprints)
        return OutboxBatch(path: path, records: records, fingerprints: packed, unanswered: unanswered)
    }

    /// The records as batches, each small enough for one request.
    ///
    /// - Parameter options: The maximum size of the deliverer's requests.
    func batches(to path: DataPath, _ options: DeliveryOptions, unanswered: Int) -> [OutboxBatch] {
        let (most, bytes) = (options.maximumBatchRecords, options.maximumBatchBytes)
        var batches: [OutboxBatch] = []
        var start = 0
        while start < count {
            let end = block.endOfBatch(from: start, in: indexes, records: most, bytes: bytes)
            batches.append(at(start..<end).batch(to: path, unanswered: unanswered))
            start = end
        }
        return batches
    }
}
