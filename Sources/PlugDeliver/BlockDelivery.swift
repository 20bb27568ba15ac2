internal import LosslessJSON
internal import PlugCore

/// Delivers one selection: strict, then skipping errors, then alone; in halves where a request as a whole is refused.
///
/// Positions count in the selection; the work left is a stack of ranges of positions, so that order is kept.
final class BlockDelivery {
    let block: RecordBlock
    let selection: [Int]
    let exchange: Exchange
    let evidence: RunEvidence
    let options: DeliveryOptions
    let clock: any HostClock

    var fates: [RecordFate]
    /// Positions whose own send in this run got no answer to work with: proof of presence then is our delivery.
    private var lost: [Bool]
    /// Positions that were refused alone, in order.
    private var refused: [Int] = []
    var stop: PlugError?

    init(
        _ block: RecordBlock,
        _ selection: [Int],
        _ exchange: Exchange,
        _ evidence: RunEvidence,
        _ options: DeliveryOptions,
        _ clock: any HostClock
    ) {
        self.block = block
        self.selection = selection
        self.exchange = exchange
        self.evidence = evidence
        self.options = options
        self.clock = clock
        fates = Array(repeating: .undelivered, count: selection.count)
        lost = Array(repeating: false, count: selection.count)
    }

    /// Delivers everything, as far as it goes.
    func run() async {
        var next = 0
        while stop == nil, next < selection.count {
            let end = endOfBatch(from: next)
            await deliver(next..<end)
            next = end
        }
        await tryRefusedAgain()
    }

    /// What became of each record.
    func receipt(_ refusedBefore: (Int) -> Int) -> DeliveryReceipt {
        // When the PDA is in trouble, refusals say nothing about records.
        if !evidence.isTroubled { judge(refusedBefore) }
        var receipt = DeliveryReceipt(count: 0)
        receipt.fates = fates
        receipt.stop = stop
        receipt.requests = exchange.requests
        receipt.bytesOut = exchange.bytesOut
        receipt.bytesIn = exchange.bytesIn
        return receipt
    }

    private func judge(_ refusedBefore: (Int) -> Int) {
        for position in refused where fates[position] == .undelivered {
            guard let refusal = evidence.refusal(of: record(position), to: exchange.path) else { continue }
            let isConvicted = evidence.isConvicted(refusal, earlierRuns: refusedBefore(selection[position]))
            fates[position] = isConvicted ? .deadLetter(reason: refusal.reason) : .refused(reason: refusal.reason)
        }
    }

    // MARK: - Batches

    private func endOfBatch(from start: Int) -> Int {
        var end = start
        var bytes = 1
        while end < selection.count, end - start < max(1, options.maximumBatchRecords) {
            bytes += block.entries[selection[end]].range.count + 1
            if bytes > options.maximumBatchBytes, end > start { break }
            end += 1
        }
        return end
    }

    private func deliver(_ batch: Range<Int>) async {
        var pending = [batch]
        while stop == nil, let part = pending.popLast() {
            if part.count == 1 {
                await postAlone(part.lowerBound)
            } else if await deliverTogether(part) == .halve {
                let middle = part.lowerBound + part.count / 2
                pending.append(middle..<part.upperBound)
                pending.append(part.lowerBound..<middle)
            }
        }
    }

    private enum Step { case done, halve }

    private func deliverTogether(_ part: Range<Int>) async -> Step {
        switch await post(part, skipErrors: false) {
        case .stopped: return .done
        case .tooLarge: return .halve
        case .stored(let answer):
            switch Echo(answer, of: block, sent: selection[part]) {
            case .all:
                evidence.noteStored()
                settle(part)
                return .done
            case .some(let echoed, _):
                // A strict POST stores all or nothing, so this answer does not tell what became of the others.
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
        case .tooLarge, .refused: return .halve
        case .stored(let answer):
            switch Echo(answer, of: block, sent: selection[part]) {
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

    private func settle(_ part: Range<Int>) {
        for position in part { fates[position] = .delivered }
        exchange.announce(proved: part.count)
    }

    /// Takes what is echoed for stored and asks for each of the others.
    private func settle(_ part: Range<Int>, _ echoed: [Bool]) async {
        var missing: [Int] = []
        for (position, isEchoed) in zip(part, echoed) {
            if isEchoed { fates[position] = .delivered } else { missing.append(position) }
        }
        if missing.count < part.count { evidence.noteStored() }
        exchange.announce(proved: part.count - missing.count)
        await probe(missing)
    }

    // MARK: - Single records

    /// Posts each of these alone, or a sample of them where that is enough.
    private func probe(_ missing: [Int]) async {
        var rest = missing[...]
        if options.acceptsDuplicates, missing.count > Self.sampleSize {
            let (sample, others) = sampled(missing)
            var areDuplicates = true
            for position in sample where stop == nil {
                areDuplicates = await postAlone(position) == .duplicate && areDuplicates
            }
            if stop == nil, areDuplicates {
                for position in others { fates[position] = presentFate(position) }
                exchange.announce(proved: others.count)
                return
            }
            rest = others[...]
        }
        for position in rest where stop == nil {
            guard evidence.probes < options.probesPerRun else {
                stop = budgetUsed
                return
            }
            evidence.probes += 1
            await postAlone(position)
        }
    }

    private static let sampleSize = 32

    /// A random sample, and the others in order.
    private func sampled(_ positions: [Int]) -> (sample: [Int], others: [Int]) {
        var shuffled = positions
        for at in 0..<Self.sampleSize {
            let left = shuffled.count - at
            shuffled.swapAt(at, at + min(left - 1, Int(clock.random() * Double(left))))
        }
        return (Array(shuffled[..<Self.sampleSize]), shuffled[Self.sampleSize...].sorted())
    }

    private enum SingleOutcome { case stored, duplicate, refused, stopped }

    /// Posts one record as a list of one, strict: 201 or the exact duplicate cause proves it.
    @discardableResult
    private func postAlone(_ position: Int) async -> SingleOutcome {
        let part = position..<position + 1
        var failures = 0
        while true {
            switch await post(part, skipErrors: false) {
            case .stopped: return .stopped
            case .stored(let answer):
                if case .all = Echo(answer, of: block, sent: selection[part]) {
                    evidence.noteStored()
                    evidence.noteSingle()
                    fates[position] = .delivered
                    exchange.announce(proved: 1)
                    return .stored
                }
                markLost(part)
                failures += 1
                guard failures < max(1, options.tries) else {
                    stop = exchange.unusable
                    return .stopped
                }
                guard await exchange.pause(after: failures, code: "pda-answer") else {
                    stop = exchange.interrupted
                    return .stopped
                }
            case .refused(let refusal) where refusal.isDuplicate:
                evidence.noteSingle()
                fates[position] = presentFate(position)
                exchange.announce(proved: 1)
                return .duplicate
            case .refused(let refusal): return note(refusal.reason, position)
            case .tooLarge: return note("413: too large for the PDA, alone", position)
            }
        }
    }

    private func presentFate(_ position: Int) -> RecordFate { lost[position] ? .delivered : .duplicate }

    private func note(_ reason: String, _ position: Int) -> SingleOutcome {
        evidence.noteRefusal(of: record(position), to: exchange.path, reason: reason)
        refused.append(position)
        if evidence.isTroubled { stop = trouble }
        return .refused
    }

    /// Gives each refused record its second chance, after everything else has been posted.
    private func tryRefusedAgain() async {
        let once = refused
        for position in once where stop == nil {
            guard let refusal = evidence.refusal(of: record(position), to: exchange.path), refusal.count == 1,
                evidence.probes < options.probesPerRun
            else { continue }
            evidence.probes += 1
            await postAlone(position)
        }
    }

    // MARK: - Requests

    private func post(_ part: Range<Int>, skipErrors: Bool) async -> Exchange.Outcome {
        write(part)
        let outcome = await exchange.send(records: part.count, skipErrors: skipErrors)
        if exchange.lostAnswer { markLost(part) }
        if case .stopped(let error) = outcome { stop = error }
        return outcome
    }

    /// Writes the list of these records into the request's buffer, whose room is kept.
    private func write(_ part: Range<Int>) {
        exchange.body.removeAll(keepingCapacity: true)
        block.bytes.withUnsafeBufferPointer { bytes in
            exchange.body.append(UInt8(ascii: "["))
            for position in part {
                if position > part.lowerBound { exchange.body.append(UInt8(ascii: ",")) }
                let range = block.entries[selection[position]].range
                exchange.body.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[range]))
            }
            exchange.body.append(UInt8(ascii: "]"))
        }
    }

    private func record(_ position: Int) -> [UInt8] { Array(block.bytes[block.entries[selection[position]].range]) }

    private func markLost(_ part: Range<Int>) { for position in part { lost[position] = true } }

    // MARK: - Stops

    private var budgetUsed: PlugError {
        PlugError(
            "probe-budget",
            exit: .tryLater,
            "\(options.probesPerRun) records were posted one by one to \(exchange.path), as many as a run may",
            advice: "run again to continue, or run once with --accept-duplicates"
        )
    }

    private var trouble: PlugError {
        PlugError(
            "pda-refuses",
            exit: .tryLater,
            "the PDA refuses \(evidence.refusedSingles) of \(evidence.singles) single records for \(exchange.path)",
            advice: "that is the PDA's trouble, not the records': run again later, nothing is lost"
        )
    }
}
