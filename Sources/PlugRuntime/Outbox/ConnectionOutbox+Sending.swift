internal import PlugCore
internal import PlugDeliver
internal import PlugStorage

// Waiting batches leave in order, unless the PDA fails to answer some of them.
extension ConnectionOutbox {
    /// The number of batches read at a time, each up to 1 MiB.
    private static let readAhead = 4

    /// Sends what earlier runs have left, until the PDA stops accepting it.
    ///
    /// - Parameter waiting: The outboxes they have left.
    /// - Throws: `PlugError`: an error other than an outage that stopped the delivery, and the store's errors.
    func drainAll(_ waiting: [WaitingOutbox]) async throws {
        mayHoldBatches = !waiting.isEmpty
        firstOwn = (waiting.map(\.ids.upperBound).max() ?? 0) + 1
        behind = Set(waiting.map(\.stream))
        for outbox in waiting where outage == nil { try await catchUp(outbox.stream) }
    }

    /// Sends what earlier runs have left of one stream before anything newer of it, if the PDA accepts records: it may have come
    /// back while another stream contacted it.
    ///
    /// - Throws: As `drainAll`.
    func catchUp(_ stream: StreamID) async throws {
        guard outage == nil, behind.contains(stream) else { return }
        try await drain(stream)
        if outage == nil, heldBack[stream] == nil { behind.remove(stream) }
    }

    /// Sends what still waits at the end of a run: what another stream has shown to be possible again, refused records, which get
    /// their second chance now that others were accepted, and batches that got no answer in earlier runs.
    ///
    /// - Throws: As `drainAll`.
    func drainRest() async throws {
        guard mayHoldBatches else { return }
        trials.allowRefused()
        trials.allowOneMore()
        isLast = true
        try await drainEach()
        let marked = try await store.outboxes(of: connection).filter { $0.unanswered > 0 }
        guard outage == nil, !marked.isEmpty else { return }
        trials.takesMarked(of: marked.reduce(0) { $0 + $1.unanswered })
        var hasSettled = false
        for outbox in marked where outage == nil {
            // Repeats as long as something is accepted: newer versions wait behind older ones.
            var waiting = outbox
            while outage == nil {
                _ = try await sweep(waiting)
                guard let rest = try await store.outboxes(of: connection).first(where: { $0.stream == outbox.stream })
                else {
                    hasSettled = true
                    break
                }
                if rest.size == waiting.size { break }
                (waiting, hasSettled) = (rest, true)
            }
        }
        trials.takesMarked(of: nil)
        // Records that waited behind them.
        if hasSettled { try await drainEach() }
    }

    /// Sends what waits of each stream, and retries what was held back if another stream has shown that the PDA is not at fault.
    private func drainEach() async throws {
        for _ in 0..<2 {
            for outbox in try await store.outboxes(of: connection) where outage == nil {
                try await drain(outbox.stream)
            }
            if heldBack.isEmpty || doubt != nil { return }
        }
    }

    /// Sends what waits of one stream, until the PDA stops accepting it. A PDA that failed is left alone for a while first.
    ///
    /// - Throws: As `drainAll`.
    func drain(_ stream: StreamID) async throws {
        guard mayAskAgain else { return }
        if outage != nil { trials.askAgain() }
        guard trials.mayTry(stream, isDoubtful: doubt != nil) else { return }
        heldBack[stream] = nil
        // Each sweep settles or marks a batch, or is the last one; the number of failures is bounded.
        repeat {
            guard let outbox = try await store.outboxes(of: connection).first(where: { $0.stream == stream }) else {
                waiting[stream] = WaitingRecords()
                return
            }
            let (hasMoved, hasLeft) = try await sweep(outbox)
            guard hasMoved, hasLeft, doubt == nil else { return }
        } while outage == nil
    }

    /// Goes through what waits of a stream once, in order. A record is never sent while an older one of its `_id` waits.
    ///
    /// - Returns: Whether something was settled or marked, and whether something was left out.
    private func sweep(_ outbox: WaitingOutbox) async throws -> (hasMoved: Bool, hasLeft: Bool) {
        let (stream, last) = (outbox.stream, outbox.ids.upperBound)
        let refusals = try await refusals(of: stream)
        let pass = try await store.currentPass(of: stream)
        var (after, hasMoved, hasLeft) = (Int64(0), false, false)
        var left = WaitingRecords()
        trials.begin(stream, batches: outbox.size.batches, isDoubtful: doubt != nil, chance: clock.random())
        repeat {
            let batches = try await store.outbox(of: stream, after: after, limit: Self.readAhead)
            for stored in batches.prefix(while: { $0.id <= last }) {
                after = stored.id
                guard trials.wants(stored, isDoubtful: doubt != nil, chance: clock.random()) else {
                    left.insert(stored.batch)
                    if stored.batch.unanswered == 0 { hasLeft = true }
                    continue
                }
                var (rest, isPaused) = try await send(stored, behind: left, refusals, pass)
                while isPaused, let batch = rest {
                    var shortened = stored
                    shortened.batch = batch
                    (rest, isPaused) = try await send(shortened, behind: left, refusals, pass)
                    hasMoved = true
                }
                guard let rest else {
                    hasMoved = true
                    continue
                }
                left.insert(rest)
                if rest != stored.batch { hasMoved = true } else { hasLeft = true }
                if outage != nil { return (hasMoved, hasLeft) }
            }
            if batches.count < Self.readAhead || batches.last.map({ $0.id >= last }) == true { break }
        } while true
        waiting[stream] = left
        heldBack[stream] = hasLeft ? doubt : nil
        return (hasMoved, hasLeft)
    }

    /// Sends one batch and settles the part that the PDA answers.
    ///
    /// - Parameter older: What waits before it.
    /// - Returns: What is left of it, `nil` if nothing is; and whether the delivery only paused.
    private func send(
        _ stored: StoredOutboxBatch,
        behind older: WaitingRecords,
        _ refusals: [RecordFingerprint: Int],
        _ pass: Int64
    ) async throws -> (rest: OutboxBatch?, isPaused: Bool) {
        let (path, all) = (stored.batch.path, SelectedRecords(of: stored.batch))
        let sent = all.at(all.indexes.filter { !older.containsVersion($0, of: all.block) })
        if sent.isEmpty { return (stored.batch, false) }
        let start = now
        let receipt = await deliverer(of: path.namespace).deliver(
            all.block,
            selection: sent.indexes,
            to: path,
            pauses: true,
            refusedBefore: { refusals[all.fingerprints[$0]] ?? 0 }
        )
        // A batch unanswered in earlier runs says nothing about a PDA that has accepted something in this one.
        let isKnown = stored.batch.unanswered > 0 && isTaking
        doubt = isKnown ? nil : receipt.doubt
        if let fault = RecordBalance.fault(receipt, sent: sent.count, stream: stored.stream.stream) { throw fault }
        var commit = StreamCommit(stream: stored.stream, pass: pass)
        var settled = StreamCounts()
        var left = Set(all.indexes)
        var (hasRefused, hasUnanswered) = (false, receipt.mayBeContent)
        for (at, fate) in receipt.fates.enumerated() {
            let fingerprint = sent.fingerprints[at]
            switch fate {
            case .undelivered: continue
            case .unanswered:
                hasUnanswered = true
                continue
            case .deadLetter(let reason) where isTaking || isLast:
                commit.deadLetters.append(.refused(sent, at, to: path, reason))
            case .refused, .deadLetter:
                // A PDA that has accepted nothing in this run may be refusing everything.
                hasRefused = true
                if counted.insert(fingerprint).inserted { commit.refused.append(fingerprint) }
                continue
            case .delivered, .duplicate: isTaking = true
            }
            left.remove(sent.indexes[at])
            settled.add(fate)
            settled.queued -= 1
            if refusals[fingerprint] != nil || counted.contains(fingerprint) { commit.settled.append(fingerprint) }
        }
        if left.count < all.count { trials.noteAnswer() }
        if hasRefused { trials.noteRefused(stored.id) }
        var rest: OutboxBatch?
        if !left.isEmpty {
            var batch = all.at(left.sorted()).batch(to: path, unanswered: stored.batch.unanswered)
            if hasUnanswered {
                noteUnanswered(stored.id, of: stored.stream, since: start)
                if doubt == nil { batch.unanswered += 1 }
            }
            rest = batch
        }
        if rest != stored.batch || !commit.refused.isEmpty {
            try await store.settle(stored.id, leaving: rest, with: commit)
            book(settled, of: stored)
        }
        try noteEnd(receipt, of: stored.stream)
        return (rest, receipt.isPaused)
    }

    /// Records that a batch got no answer.
    ///
    /// - Parameters:
    ///   - batch: `nil` for records that are not queued yet.
    ///   - start: When they were sent.
    func noteUnanswered(_ batch: Int64?, of stream: StreamID, since start: Int64) {
        trials.noteUnanswered(
            batch,
            of: stream,
            isDoubtful: doubt != nil,
            since: start,
            now: now,
            chance: clock.random()
        )
    }

    /// Holds back a stream after a page got no answer and was queued: something else must show that the page is at fault.
    func holdBack(_ stream: StreamID, _ error: PlugError, since start: Int64) async throws {
        if doubt != nil { heldBack[stream] = error }
        noteUnanswered(nil, of: stream, since: start)
        if trials.isOutage { note(outage: error) }
        let waiting = try await store.outboxes(of: connection).first { $0.stream == stream }
        if let last = waiting?.ids.upperBound { trials.noteQueuedInDoubt(upTo: last, of: stream) }
    }

    /// Real time in microseconds, for measuring durations.
    var now: Int64 { clock.steady().microseconds }

    /// Distinguishes an outage from content that gets no answer.
    private func noteEnd(_ receipt: DeliveryReceipt, of stream: StreamID) throws {
        guard let stop = receipt.stop else {
            guard let doubt else { return endOutage() }
            if trials.isOutage { note(outage: doubt) }
            return
        }
        if receipt.mayBeContent {
            if doubt == nil { return endOutage() }
            if trials.isOutage || outage != nil { note(outage: stop) }
            return
        }
        guard receipt.isOutage else { throw stop.inStream(stream.stream) }
        note(outage: stop)
    }
}
