internal import LosslessJSON
internal import PlugCore

/// Delivers one selection: strictly, then skipping errors, then record by record; in halves if a request is refused as a whole.
///
/// Positions are relative to the selection; the remaining work is a stack of ranges of positions, which preserves the order.
final class BlockDelivery {
    let block: RecordBlock
    let selection: [Int]
    let sender: BatchSender
    let evidence: RunEvidence
    let options: DeliveryOptions
    let clock: any HostClock

    var fates: [RecordFate]
    /// Positions sent by this run without a usable answer: proof of presence then counts as our delivery.
    var lost: [Bool]
    /// Positions refused when sent alone, in order.
    var refused: [Int] = []
    var stop: PlugError?
    /// When it pauses if something is proved by then, in microseconds of a clock that never jumps; `nil` for never.
    var pausesAt: Int64?
    private var isPaused = false
    /// Whether the PDA cannot accept records at the moment.
    var isOutage = false
    /// Whether the content of the request may be why it gets no answer.
    var mayBeContent = false
    /// The things that unanswered records are about: newer versions wait with them.
    var unansweredThings: Set<ArraySlice<UInt8>> = []
    /// Whether a record is being sent to see whether the PDA accepts anything.
    var isSampling = false

    init(
        _ block: RecordBlock,
        _ selection: [Int],
        _ sender: BatchSender,
        _ evidence: RunEvidence,
        _ options: DeliveryOptions,
        _ clock: any HostClock
    ) {
        self.block = block
        self.selection = selection
        self.sender = sender
        self.evidence = evidence
        self.options = options
        self.clock = clock
        fates = Array(repeating: .undelivered, count: selection.count)
        lost = Array(repeating: false, count: selection.count)
    }

    /// Delivers as much as possible.
    func run() async {
        var next = 0
        while stop == nil, next < selection.count, !pauses() {
            let end = block.endOfBatch(
                from: next,
                in: selection,
                records: options.maximumBatchRecords,
                bytes: options.maximumBatchBytes
            )
            await deliver(next..<end)
            next = end
        }
        if !isPaused { await tryRefusedAgain() }
    }

    /// Whether to leave the rest, of which there is some, until what is proved is committed.
    func pauses() -> Bool {
        if isPaused { return true }
        guard let pausesAt, clock.steady().microseconds >= pausesAt else { return false }
        isPaused = fates.contains(.delivered) || fates.contains(.duplicate)
        return isPaused
    }

    /// The fate of each record.
    func receipt(_ refusedBefore: (Int) -> Int) -> DeliveryReceipt {
        // While the PDA is in trouble, refusals say nothing about records.
        if !evidence.isTroubled { judge(refusedBefore) }
        var receipt = DeliveryReceipt(count: 0)
        receipt.fates = fates
        receipt.stop = stop
        receipt.isPaused = stop == nil && isPaused
        receipt.isOutage = isOutage
        receipt.mayBeContent = mayBeContent
        receipt.doubt = evidence.hasPoison ? nil : evidence.doubt
        receipt.requests = sender.requests
        receipt.bytesOut = sender.bytesOut
        receipt.bytesIn = sender.bytesIn
        return receipt
    }

    private func judge(_ refusedBefore: (Int) -> Int) {
        for position in refused where fates[position] == .undelivered {
            guard let refusal = evidence.refusal(of: record(position), to: sender.path) else { continue }
            let isRefusedForGood = evidence.isRefusedForGood(refusal, earlierRuns: refusedBefore(selection[position]))
            fates[position] = isRefusedForGood ? .deadLetter(reason: refusal.reason) : .refused(reason: refusal.reason)
        }
    }

    // MARK: - Batches

    private func deliver(_ batch: Range<Int>) async {
        var pending = [Part(records: batch)]
        while stop == nil, !pending.isEmpty, !pauses(), let part = pending.popLast() {
            if let position = newerVersionOfUnanswered(in: part.records) {
                pending += part.without(position)
                continue
            }
            guard part.records.count > 1 else {
                if part.isSuspected {
                    await probe([part.records.lowerBound])
                } else {
                    await postAlone(part.records.lowerBound)
                }
                continue
            }
            switch await deliverTogether(part.records) {
            case .done: break
            case .halveTooLarge: pending += part.halves(isSuspected: part.isSuspected)
            case .halveRefused: pending += part.halves(isSuspected: true)
            case .leaveOut(let position): pending += part.without(position)
            }
        }
    }

    private enum Step { case done, halveTooLarge, halveRefused, leaveOut(Int) }

    /// Records to be posted together. A part is suspected if it comes from a request that was refused as a whole: single posts
    /// from it establish what became of a record, and count as probes.
    private struct Part {
        var records: Range<Int>
        var isSuspected = false

        /// The parts before and after a settled record, the first one last.
        func without(_ position: Int) -> [Part] {
            [position + 1..<records.upperBound, records.lowerBound..<position]
                .filter { !$0.isEmpty }.map { Part(records: $0, isSuspected: isSuspected) }
        }

        /// Two halves, the first one last.
        func halves(isSuspected: Bool) -> [Part] {
            let middle = records.lowerBound + records.count / 2
            return [
                Part(records: middle..<records.upperBound, isSuspected: isSuspected),
                Part(records: records.lowerBound..<middle, isSuspected: isSuspected),
            ]
        }
    }

    private func deliverTogether(_ part: Range<Int>) async -> Step {
        switch await post(part, skipErrors: false) {
        case .stopped: return .done
        case .unanswered(let error, let isOutage): return await doubt(part, error, isOutage: isOutage)
        case .tooLarge: return .halveTooLarge
        case .stored(let answer):
            switch Echo(answer, of: block, sent: selection[part], isStrict: true) {
            case .all:
                evidence.noteStored()
                settle(part)
                return .done
            case .some(let echoed, _):
                // A strict POST stores all or nothing, so this answer does not show what became of the others.
                markLost(part)
                await settle(part, echoed)
                return .done
            case .unreadable: markLost(part)
            }
        case .refused: break
        }
        return await deliverSkippingErrors(part)
    }

    private func deliverSkippingErrors(_ part: Range<Int>) async -> Step {
        switch await post(part, skipErrors: true) {
        case .stopped: return .done
        case .unanswered(let error, let isOutage): return await doubt(part, error, isOutage: isOutage)
        case .tooLarge: return .halveTooLarge
        case .refused: return .halveRefused
        case .stored(let answer):
            switch Echo(answer, of: block, sent: selection[part], isStrict: false) {
            case .all:
                evidence.noteStored()
                settle(part)
            case .some(let echoed, let hasStrangers):
                if hasStrangers { markLost(part) }
                await settle(part, echoed)
            case .unreadable:
                markLost(part)
                await probe(Array(part))
            }
            return .done
        }
    }

    /// Finds out whether the PDA or the content of a request is why there is no usable answer.
    private func doubt(_ part: Range<Int>, _ error: PlugError, isOutage: Bool) async -> Step {
        if let position = await settledAlone(of: part) { return .leaveOut(position) }
        guard stop == nil else { return .done }
        // The PDA has accepted something since its first failure: several records here get no answer.
        if evidence.hasPoison, evidence.unanswered < RunEvidence.unansweredLimitOfBatch { return .halveTooLarge }
        stopInDoubt(error, isOutage: isOutage)
        return .done
    }

    func stopInDoubt(_ error: PlugError, isOutage: Bool) {
        (stop, self.isOutage, mayBeContent) = (error, isOutage, true)
    }

    private func settle(_ part: Range<Int>) {
        for position in part { fates[position] = .delivered }
        sender.announce(proved: part.count)
    }

    /// Treats echoed records as stored and probes each of the others.
    private func settle(_ part: Range<Int>, _ echoed: [Bool]) async {
        var missing: [Int] = []
        for (position, isEchoed) in zip(part, echoed) {
            if isEchoed { fates[position] = .delivered } else { missing.append(position) }
        }
        if missing.count < part.count { evidence.noteStored() }
        sender.announce(proved: part.count - missing.count)
        await probe(missing)
    }

    // MARK: - Requests

    func post(_ part: Range<Int>, skipErrors: Bool) async -> BatchSender.Outcome {
        write(part)
        // Once something without an answer has been found, each part of it is tried once.
        let isTrial = evidence.isInDoubt || evidence.hasPoison
        let tries = isTrial ? 1 : options.tries
        let outcome = await sender.send(records: part.count, skipErrors: skipErrors, tries: tries, isTrial: isTrial)
        if sender.lostAnswer { markLost(part) }
        switch outcome {
        case .stopped(let error, let isOutage): (stop, self.isOutage) = (error, isOutage)
        case .unanswered(let error, _): evidence.noteUnanswered(error)
        case .stored, .refused, .tooLarge: evidence.noteAnswer()
        }
        return outcome
    }

    /// Writes the list of these records, of which there is at least one.
    private func write(_ part: Range<Int>) {
        precondition(!part.isEmpty, "a request has a record")
        let ranges = selection[part].lazy.map { [block] in block.entries[$0].range }
        // A bracket; each record is followed by a comma, the last by a bracket.
        let size = ranges.reduce(1) { $0 + $1.count + 1 }
        sender.write { body in
            body.append(addingCapacity: size) { span in
                span.withUnsafeMutableBufferPointer { room, written in
                    room[0] = UInt8(ascii: "[")
                    written = 1
                    block.bytes.withUnsafeBufferPointer { bytes in
                        for range in ranges {
                            let end = room[written...].update(fromContentsOf: bytes[range])
                            room[end] = UInt8(ascii: ",")
                            written = end + 1
                        }
                    }
                    room[size - 1] = UInt8(ascii: "]")
                }
            }
        }
    }

    func record(_ position: Int) -> [UInt8] { Array(block.bytes[block.entries[selection[position]].range]) }

    func markLost(_ part: Range<Int>) { for position in part { lost[position] = true } }
}
