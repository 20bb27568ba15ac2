internal import PlugCore

// A page's records: which of them are new, and whether they are posted or queued.
extension StreamDelivery {
    mutating func take(_ page: IncomingPage, holdsBack: Bool) -> [Action] {
        counts.add(page.cost)
        counts.fetched += page.block.entries.count + page.letterFingerprints.count
        counts.dropped += page.dropped
        counts.deleted += page.deleted
        counts.repaired += page.repaired
        pending.dropsInventory = pending.dropsInventory || page.dropsInventory
        pending.inventory += page.inventory
        pending.states.merge(page.states) { $1 }
        // A pass that left parents out is incomplete: what earlier passes proved about them is not forgotten.
        pending.endsPass = pending.endsPass || (page.endsPass && !page.leavesOutParents)
        counts.deadLetters += page.letters.count
        counts.known += page.letterFingerprints.count - page.letters.count
        pending.deadLetters += page.letters
        pending.proved += page.letterFingerprints
        let records = select(page)
        guard queuesEverything || !page.isRepeatable || holdsBack else {
            let records = withoutNewerVersions(records)
            // What this page's own records prove about each other is in the receipt already.
            return post(records, then: .posting(records, hadUndecided: !undecided.isEmpty))
        }
        queueUndecided()
        // A page that cannot be read again is kept in any case; the next one is not read if there is no room.
        guard page.isRepeatable, !records.isEmpty else { return queue(records, isRepeatable: page.isRepeatable) }
        step = .makingRoom(records, hasDrained: false)
        return [.askForRoom]
    }

    /// The records that the ledger does not know, that were not met in this pass with this content, and that are not waiting.
    private mutating func select(_ page: IncomingPage) -> SelectedRecords {
        var selected = SelectedRecords(block: page.block)
        selected.indexes.reserveCapacity(page.findings.count)
        selected.fingerprints.reserveCapacity(page.findings.count)
        conflicts.begin()
        for (index, finding) in page.findings.enumerated() {
            let fingerprint = page.fingerprints[index]
            let isSent: Bool
            switch finding {
            case .metInThisPass:
                counts.known += 1
                continue
            case .metWithOtherContent:
                conflicts.note(index, of: page.block)
                isSent = true
            case .unknown: isSent = true
            case .knownWithOtherContent:
                changed += 1
                isSent = resends
            case .knownBefore, .knownInAnyForm: isSent = resends
            }
            if isSent, !waiting.contains(fingerprint) {
                selected.indexes.append(index)
                selected.fingerprints.append(fingerprint)
            } else {
                counts.known += 1
                if finding != .knownBefore || !remembers { pending.proved.append(fingerprint) }
            }
        }
        counts.conflicts = conflicts.count(among: counts.fetched)
        return selected
    }

    /// Queues records with an older version in the outbox, behind that version.
    ///
    /// - Returns: The remaining records.
    private mutating func withoutNewerVersions(_ records: SelectedRecords) -> SelectedRecords {
        let isNewer = records.indexes.map { waiting.containsVersion($0, of: records.block) }
        guard isNewer.contains(true) else { return records }
        enqueue(records.at(isNewer.indices.filter { isNewer[$0] }))
        return records.at(isNewer.indices.filter { !isNewer[$0] })
    }

    // MARK: - The outbox

    /// Refused records that await a verdict go first: otherwise they would hold back the states, and what follows is queued.
    private mutating func queueUndecided() {
        pending.refused += undecided.fingerprints
        enqueue(undecided)
        undecided = SelectedRecords()
    }

    /// Puts a page's records into the outbox, in one transaction with the states, and sends what the PDA may accept by now.
    mutating func queue(_ records: SelectedRecords, isRepeatable: Bool) -> [Action] {
        enqueue(records)
        step = .queued(isRepeatable: isRepeatable)
        return commit { _ in [.drain] }
    }

    /// Takes records into the next commit's outbox.
    ///
    /// - Parameter unanswered: Whether the PDA failed to answer them while it accepted others.
    mutating func enqueue(_ records: SelectedRecords, unanswered: Bool = false) {
        pending.outbox += records.batches(to: path, options, unanswered: unanswered ? 1 : 0)
        noteWaiting(records)
        // In the outbox they are safe, and not sent again.
        pending.proved += records.fingerprints
        counts.queued += records.count
    }

    /// Remembers waiting records, so that newer versions wait behind them.
    mutating func noteWaiting(_ records: SelectedRecords) {
        for (index, fingerprint) in zip(records.indexes, records.fingerprints) {
            waiting.insert(index, of: records.block, fingerprint)
        }
    }
}
