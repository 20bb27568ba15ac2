internal import PlugCore
internal import PlugDeliver
internal import PlugManifest
internal import PlugStorage

// Pages that the PDA cannot take now, or that cannot be read again.
extension StreamRun {
    /// Puts a page's records into the outbox, in one transaction with the states, and drains it where the PDA may take
    /// records by now.
    mutating func queue(
        _ block: RecordBlock,
        _ selection: [Int],
        _ fingerprints: [RecordFingerprint],
        isRepeatable: Bool
    ) async throws {
        queueUndecided()
        // A page that cannot be read again is kept in any case; the next one is not read where there is no room.
        if isRepeatable, !selection.isEmpty {
            let isRoom: Bool
            do { isRoom = try await hasRoom() } catch {
                counts.undelivered += selection.count
                throw error
            }
            guard isRoom else {
                counts.undelivered += selection.count
                throw try await halt(outbox.full(id))
            }
        }
        enqueue(block, selection, fingerprints)
        try await commit()
        if outbox.mayAskAgain { try await drain() }
        if !isRepeatable, try await !outbox.hasRoom(id) { throw outbox.full(id) }
    }

    /// Refused records that wait for a verdict go first: they hold back the states otherwise, and what follows is queued.
    private mutating func queueUndecided() {
        let undecided = pending.undecided
        guard !undecided.isEmpty else { return }
        pending.undecided = UndecidedRecords()
        pending.refused += undecided.fingerprints
        enqueue(undecided.block, Array(undecided.block.entries.indices), undecided.fingerprints)
    }

    /// Whether there is room for another page, if need be after trying to make some.
    private mutating func hasRoom() async throws -> Bool {
        if try await outbox.hasRoom(id) { return true }
        guard outbox.mayAskAgain else { return false }
        try await drain()
        return try await outbox.hasRoom(id)
    }

    /// Queues the records of which an older version waits, behind it.
    ///
    /// - Returns: The others.
    mutating func queueNewerVersions(
        _ block: RecordBlock,
        _ selection: [Int],
        _ fingerprints: [RecordFingerprint]
    ) -> ([Int], [RecordFingerprint]) {
        guard let known = outbox.waiting[id] else { return (selection, fingerprints) }
        let waiting = selection.indices.filter { known.containsVersion(selection[$0], of: block) }
        if waiting.isEmpty { return (selection, fingerprints) }
        enqueue(block, waiting.map { selection[$0] }, waiting.map { fingerprints[$0] })
        let others = Set(waiting).symmetricDifference(selection.indices).sorted()
        return (others.map { selection[$0] }, others.map { fingerprints[$0] })
    }

    /// Takes records into the next commit's outbox.
    ///
    /// - Parameter unanswered: Whether the PDA gave no answer to them while it took others.
    mutating func enqueue(
        _ block: RecordBlock,
        _ selection: [Int],
        _ fingerprints: [RecordFingerprint],
        unanswered: Bool = false
    ) {
        let options = DeliveryOptions()
        var start = 0
        while start < selection.count {
            let end = block.endOfBatch(
                from: start,
                in: selection,
                records: options.maximumBatchRecords,
                bytes: options.maximumBatchBytes
            )
            let records = RecordBlock(copying: selection[start..<end], of: block)
            let packed = RecordFingerprint.packed(fingerprints[start..<end])
            pending.outbox.append(
                OutboxBatch(path: path, records: records, fingerprints: packed, unanswered: unanswered ? 1 : 0)
            )
            start = end
        }
        if !selection.isEmpty { outbox.noteQueued(selection, of: block, fingerprints, in: id) }
        // In the outbox they are safe, and nothing that is sent again.
        pending.proved += fingerprints
        counts.queued += selection.count
    }

    /// Sends what waits of this stream.
    mutating func drain() async throws {
        defer { counts.settle(outbox.takeSettled(of: stream.name)) }
        try await outbox.drain(id)
    }
}
