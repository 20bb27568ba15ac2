internal import PlugCore
internal import PlugDeliver
internal import PlugManifest
internal import PlugStorage

// A page's records: which of them are new, and what becomes of them.
extension StreamRun {
    /// Keeps what could not be normalised, once.
    mutating func collect(_ letters: [DeadLetter]) throws {
        for letter in letters {
            let fingerprint = fingerprinter.fingerprint(letter)
            if try ledger.find(fingerprint) == .unknown {
                pending.deadLetters.append(letter)
                counts.deadLetters += 1
            } else {
                counts.known += 1
            }
            remember(fingerprint)
        }
    }

    /// The records that the ledger does not know, and that have not been met in this pass.
    mutating func select(_ block: RecordBlock) throws -> (indexes: [Int], fingerprints: [RecordFingerprint]) {
        var indexes: [Int] = []
        var fingerprints: [RecordFingerprint] = []
        indexes.reserveCapacity(block.entries.count)
        fingerprints.reserveCapacity(block.entries.count)
        let candidates = fingerprinter.fingerprints(block)
        ledger.prefetch(candidates)
        conflicts.begin()
        for (index, fingerprint) in candidates.enumerated() {
            switch try ledger.find(fingerprint) {
            case .metInThisPass:
                counts.known += 1
                conflicts.noteRepeat(index, of: block, fingerprint)
            case .metWithOtherContent:
                counts.known += 1
                conflicts.noteConflict(index, of: block)
            case .knownBefore where !request.resends:
                counts.known += 1
                remember(fingerprint)
                conflicts.remember(index, of: block, fingerprint)
            case .knownBefore, .unknown:
                conflicts.remember(index, of: block, fingerprint)
                if outbox.waiting[id]?.contains(fingerprint) == true {
                    counts.known += 1
                    remember(fingerprint)
                    continue
                }
                indexes.append(index)
                fingerprints.append(fingerprint)
                ledger.noteMet(fingerprint)
            }
        }
        return (indexes, fingerprints)
    }

    private mutating func remember(_ fingerprint: RecordFingerprint) {
        ledger.noteMet(fingerprint)
        pending.proved.append(fingerprint)
    }

    mutating func deliver(
        _ block: RecordBlock,
        _ selection: [Int],
        _ fingerprints: [RecordFingerprint]
    ) async -> DeliveryReceipt {
        let refusals = refusals
        let positions = refusals.isEmpty ? [:] : Dictionary(uniqueKeysWithValues: zip(selection, fingerprints))
        let receipt = await deliverer.deliver(block, selection: selection, to: path) { index in
            positions[index].flatMap { refusals[$0] } ?? 0
        }
        counts.bytesOut += receipt.bytesOut
        outbox.note(receipt)
        return receipt
    }

    /// Books every fate.
    ///
    /// - Returns: Whether the PDA accepted a record.
    mutating func book(
        _ receipt: DeliveryReceipt,
        _ block: RecordBlock,
        _ selection: [Int],
        _ fingerprints: [RecordFingerprint]
    ) -> Bool {
        var isAccepted = false
        for (at, fate) in receipt.fates.enumerated() {
            let fingerprint = fingerprints[at]
            let entry = block.entries[selection[at]]
            switch fate {
            case .delivered:
                counts.delivered += 1
                isAccepted = true
                prove(fingerprint)
            case .duplicate:
                counts.duplicates += 1
                prove(fingerprint)
            case .deadLetter(let reason):
                counts.deadLetters += 1
                pending.deadLetters.append(.refused(block, entry, to: path, reason))
                prove(fingerprint)
            case .refused: pending.undecided.append(block, entry, fingerprint)
            case .unanswered:
                // Alone in a batch it is safe, and holds up no other.
                enqueue(block, [selection[at]], [fingerprint], unanswered: receipt.doubt == nil)
            case .undelivered: counts.undelivered += 1
            }
        }
        return isAccepted
    }

    private mutating func prove(_ fingerprint: RecordFingerprint) {
        pending.proved.append(fingerprint)
        if refusals[fingerprint] != nil { pending.settled.append(fingerprint) }
    }

    /// Tries records again that were refused alone, now that others were accepted.
    mutating func settleUndecided(isLast: Bool) async throws {
        guard !pending.undecided.isEmpty else { return }
        let undecided = pending.undecided
        pending.undecided = UndecidedRecords()
        let selection = Array(undecided.block.entries.indices)
        let receipt = await deliver(undecided.block, selection, undecided.fingerprints)
        _ = book(receipt, undecided.block, selection, undecided.fingerprints)
        if let stop = receipt.stop { throw try await halt(stop) }
        if pending.undecided.isEmpty { return try await commit() }
        guard isLast || pending.undecided.count > UndecidedRecords.limit else { return }
        let records = pending.undecided.count == 1 ? "1 record" : "\(pending.undecided.count) records"
        let fault = pending.undecided.count == 1 ? "it is" : "they are"
        let error = PlugError(
            .pdaRefusesRecords,
            "the PDA refused \(records) of this stream, but it is not yet certain that \(fault) at fault",
            advice: "run again later: a record that is refused in three runs becomes a dead letter",
            stream: stream.name,
            reach: .stream
        )
        throw try await halt(error)
    }
}
