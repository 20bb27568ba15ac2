internal import PlugCore

/// Records that are posted alone, to tell stored records from refused ones.
extension BlockDelivery {
    /// Posts each of these records alone, or only a sample if that is enough.
    func probe(_ missing: [Int]) async {
        var rest = missing[...]
        if options.acceptsDuplicates, missing.count > Self.sampleSize {
            let (sample, others) = sampled(missing)
            var areDuplicates = true
            // A sample is bounded anyway: if samples counted as probes, a run could accept 31 batches and no more.
            for position in sample where stop == nil {
                areDuplicates = await postAlone(position) == .duplicate && areDuplicates
            }
            if stop == nil, areDuplicates {
                for position in others { fates[position] = presentFate(position) }
                sender.announce(proved: others.count)
                return
            }
            rest = others[...]
        }
        for position in rest where stop == nil {
            if pauses() { return }
            guard evidence.probes < options.probesPerRun else {
                stop = budgetUsed
                return
            }
            evidence.probes += 1
            await postAlone(position)
        }
    }

    private static let sampleSize = 32

    /// A random sample, and the remaining positions in order.
    private func sampled(_ positions: [Int]) -> (sample: [Int], others: [Int]) {
        var shuffled = positions
        for at in 0..<Self.sampleSize {
            let left = shuffled.count - at
            shuffled.swapAt(at, at + min(left - 1, Int(clock.random() * Double(left))))
        }
        return (Array(shuffled[..<Self.sampleSize]), shuffled[Self.sampleSize...].sorted())
    }

    enum SingleOutcome { case stored, duplicate, refused, stopped }

    /// Posts one record as a list of one, strictly: 201 or the exact duplicate cause proves it.
    @discardableResult
    func postAlone(_ position: Int) async -> SingleOutcome {
        let part = position..<position + 1
        var failures = 0
        let wasInDoubt = evidence.isInDoubt
        while true {
            switch await post(part, skipErrors: false) {
            case .stopped: return .stopped
            case .unanswered(let error, let isOutage):
                noteUnanswered(position, error, isOutage: isOutage, wasInDoubt: wasInDoubt)
                return .stopped
            case .stored(let answer):
                if case .all = Echo(answer, of: block, sent: selection[part], isStrict: true) {
                    evidence.noteStored()
                    evidence.noteSingle()
                    fates[position] = .delivered
                    sender.announce(proved: 1)
                    return .stored
                }
                markLost(part)
                failures += 1
                guard failures < max(1, evidence.hasPoison || isSampling ? 1 : options.tries) else {
                    evidence.noteUnanswered(sender.unusable)
                    noteUnanswered(position, sender.unusable, isOutage: true, wasInDoubt: wasInDoubt)
                    return .stopped
                }
                guard await sender.pause(after: failures, code: .pdaAnswer) else {
                    stop = sender.interrupted
                    return .stopped
                }
            case .refused(let refusal) where refusal.isDuplicate:
                evidence.noteSingle()
                fates[position] = presentFate(position)
                sender.announce(proved: 1)
                return .duplicate
            case .refused(let refusal): return note(refusal.reason, position)
            case .tooLarge: return note("413: too large for the PDA, even alone", position)
            }
        }
    }

    private func presentFate(_ position: Int) -> RecordFate { lost[position] ? .delivered : .duplicate }

    private func note(_ reason: String, _ position: Int) -> SingleOutcome {
        evidence.noteRefusal(of: record(position), to: sender.path, reason: reason)
        refused.append(position)
        if evidence.isTroubled { stop = trouble }
        return .refused
    }

    /// Gives each refused record a second chance after everything else has been posted, if another record has been accepted
    /// since: otherwise a second refusal would prove no more than the first.
    func tryRefusedAgain() async {
        let once = refused
        for position in once where stop == nil {
            guard let refusal = evidence.refusal(of: record(position), to: sender.path), refusal.count == 1,
                evidence.stored > refusal.storedBefore, evidence.probes < options.probesPerRun
            else { continue }
            evidence.probes += 1
            await postAlone(position)
        }
    }

    // MARK: - Stops

    private var budgetUsed: PlugError {
        PlugError(
            .probeBudget,
            "\(options.probesPerRun) records were posted one by one to \(sender.path), the limit for one run",
            advice: options.acceptsDuplicates
                ? "run again to continue: too many of these records are missing in the PDA to "
                    + "assume that it has the rest"
                : "run again to continue, or run once with --accept-duplicates"
        )
    }

    private var trouble: PlugError {
        PlugError(
            .pdaRefuses,
            "the PDA refused \(evidence.refusedSingles) of \(evidence.singles) single records for \(sender.path)"
                + (evidence.lastStatus.map { ", the last with status \($0)" } ?? ""),
            advice: "the problem is the PDA, not the records: run again later; nothing is lost"
        )
    }
}
