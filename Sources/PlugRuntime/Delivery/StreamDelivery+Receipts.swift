internal import PlugCore
internal import PlugDeliver

// The PDA's answers to records, and what follows from them.
extension StreamDelivery {
    /// Has records posted, along with their refusals in earlier runs.
    mutating func post(_ records: SelectedRecords, then step: Step) -> [Action] {
        self.step = step
        let runs = zip(records.indexes, refusals.isEmpty ? [] : records.fingerprints).compactMap { index, fingerprint in
            refusals[fingerprint].map { (index, $0) }
        }
        return [.post(records, refusedBefore: Dictionary(uniqueKeysWithValues: runs))]
    }

    /// Posts refused records again now that others were accepted.
    mutating func tryAgain(isLast: Bool) -> [Action] {
        let records = undecided
        undecided = SelectedRecords()
        return post(records, then: .tryingAgain(records, isLast: isLast))
    }

    /// Books the answer to a page's records.
    mutating func book(
        _ receipt: DeliveryReceipt,
        of records: SelectedRecords,
        hadUndecided: Bool,
        at now: Int64
    ) -> [Action] {
        if let fault = RecordBalance.fault(receipt, sent: records.count, stream: stream) {
            return handle(.failed(fault))
        }
        bookFates(receipt, of: records)
        if receipt.isPaused {
            return postRest(of: records, receipt) { .posting($0, hadUndecided: hadUndecided) }
        }
        if let stop = receipt.stop {
            // Refused records in hand hold back the states, and with them the queue.
            guard receipt.isOutage || receipt.mayBeContent, undecided.isEmpty else { return halt(stop) }
            step = .queueingRest(records, receipt, stop: stop)
            return [.askForRoom]
        }
        if hadUndecided, receipt.fates.contains(.delivered) { return tryAgain(isLast: false) }
        return finishPage(at: now)
    }

    /// Commits what is proved of a page, without the progress of the stream, and has the rest posted.
    private mutating func postRest(
        of records: SelectedRecords,
        _ receipt: DeliveryReceipt,
        then step: (SelectedRecords) -> Step
    ) -> [Action] {
        let rest = records.at(receipt.fates.indices.filter { receipt.fates[$0] == .undelivered })
        counts.undelivered -= rest.count
        var proved = pending
        pending = proved.takeStates()
        return [.commit(gathered.take(with: proved))] + post(rest, then: step(rest))
    }

    /// Queues the records of a page that an outage left undelivered.
    mutating func queueRest(of records: SelectedRecords, _ receipt: DeliveryReceipt, _ stop: PlugError) -> [Action] {
        let rest = records.at(receipt.fates.indices.filter { receipt.fates[$0] == .undelivered })
        counts.undelivered -= rest.count
        enqueue(rest, unanswered: receipt.mayBeContent && receipt.doubt == nil)
        guard receipt.mayBeContent else { return [.noteOutage(stop)] + commit { $0.readOn() } }
        return commit { [.noteUnanswered(stop)] + $0.readOn() }
    }

    /// Books the second answer to records that were undecided.
    mutating func bookAgain(_ receipt: DeliveryReceipt, of records: SelectedRecords, isLast: Bool) -> [Action] {
        if let fault = RecordBalance.fault(receipt, sent: records.count, stream: stream) {
            return handle(.failed(fault))
        }
        bookFates(receipt, of: records)
        if receipt.isPaused { return postRest(of: records, receipt) { .tryingAgain($0, isLast: isLast) } }
        if let stop = receipt.stop { return halt(stop) }
        guard undecided.isEmpty || (!isLast && undecided.count <= Self.limitOfUndecided) else {
            return halt(stillUndecided)
        }
        return commit { isLast ? $0.end() : $0.readOn() }
    }

    private mutating func bookFates(_ receipt: DeliveryReceipt, of records: SelectedRecords) {
        counts.bytesOut += receipt.bytesOut
        for (at, fate) in receipt.fates.enumerated() {
            counts.add(fate)
            switch fate {
            case .delivered, .duplicate: prove(records.fingerprints[at])
            case .deadLetter(let reason):
                pending.deadLetters.append(.refused(records, at, to: path, reason))
                prove(records.fingerprints[at])
            case .refused: undecided.append(copying: at, of: records)
            // In a batch of its own it is safe, and holds up no other record.
            case .unanswered: enqueue(records.at([at]), unanswered: receipt.doubt == nil)
            case .undelivered: break
            }
        }
    }

    private mutating func prove(_ fingerprint: RecordFingerprint) {
        pending.proved.append(fingerprint)
        if refusals[fingerprint] != nil { pending.settled.append(fingerprint) }
    }

    private var stillUndecided: PlugError {
        let records = undecided.count.counted("record")
        let fault = undecided.count == 1 ? "it is" : "they are"
        return PlugError(
            .pdaRefusesRecords,
            "the PDA refused \(records) of this stream, but it is not yet certain that \(fault) at fault",
            advice: "run again later: a record that is refused in three runs becomes a dead letter",
            stream: stream,
            reach: .stream
        )
    }
}
