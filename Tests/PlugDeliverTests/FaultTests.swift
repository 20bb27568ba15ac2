import LosslessJSON
import PlugCore
import PlugDeliver
import TestKit
import Testing

/// Many runs against a PDA that fails at random: whatever happens, each record is stored once and each fate is true.
struct FaultTests {
    @Test func eachRecordIsStoredOnceAndEachFateIsTrue() async {
        // Three has nothing in common with what seeds are divided by below.
        for seed in Thoroughness.some(UInt64(0)..<300, oneOf: 3) { await check(seed) }
    }

    private func check(_ seed: UInt64) async {
        var generator = SplitMix(seed)
        let texts = (0..<Int.random(in: 1...60, using: &generator)).map { number in
            record(
                number,
                Int.random(in: 0..<25, using: &generator) == 0 ? ",\"poison\":true" : "",
                identified: seed % 4 != 0
            )
        }
        let values = texts.map(value)
        let before = values.filter { $0["poison"] == nil && Int.random(in: 0..<6, using: &generator) == 0 }
        let rate = Double(seed % 5) * 0.1
        let pda = ModelPDA(before: before) { number in
            var generator = SplitMix(seed &* 7919 &+ UInt64(number))
            guard generator.unit() < rate else { return .none }
            let ending = [Fault.unauthorised, .badCertificate, .noConnection]
            let faults = generator.unit() < 0.05 ? ending : Fault.passing
            return faults.randomElement(using: &generator) ?? .none
        }
        let block = block(texts)
        var open = Array(texts.indices)
        var refusals: [Int: Int] = [:]
        var delivered = 0
        var duplicates = 0
        for run in 0..<40 where !open.isEmpty {
            let clock = FakeClock(seed: seed &+ UInt64(run))
            let counts = refusals
            let selection = open
            let receipt = await deliverer(to: pda, clock: clock) {
                $0.maximumBatchRecords = 16
                $0.acceptsDuplicates = seed % 7 == 0
            }.deliver(block, selection: selection, to: thingsPath) { counts[$0] ?? 0 }
            #expect(receipt.fates.count == selection.count)
            let stored = Set(pda.stored)
            let known = Set(before)
            open = []
            for (index, fate) in zip(selection, receipt.fates) {
                let isStored = stored.contains(values[index])
                let wasKnown = known.contains(values[index])
                let isPoison = values[index]["poison"] != nil
                switch fate {
                case .delivered:
                    delivered += 1
                    #expect(isStored, "seed \(seed): delivered is stored")
                    if rate == 0 { #expect(!wasKnown, "seed \(seed): not ours") }
                case .duplicate:
                    duplicates += 1
                    #expect(isStored, "seed \(seed): a duplicate is stored")
                    if run == 0 { #expect(wasKnown, "seed \(seed): ours, this run") }
                case .deadLetter: #expect(isPoison || rate > 0, "seed \(seed): an innocent record")
                case .refused:
                    refusals[index, default: 0] += 1
                    open.append(index)
                case .unanswered:
                    #expect(rate > 0, "seed \(seed): no fault, and no answer")
                    open.append(index)
                case .undelivered:
                    #expect(receipt.stop != nil, "seed \(seed): nothing stopped")
                    open.append(index)
                }
            }
        }
        let stored = pda.stored
        #expect(Set(stored).count == stored.count, "seed \(seed): something is stored twice")
        #expect(open.isEmpty, "seed \(seed): \(open.count) records never settled")
        let healthy = values.filter { $0["poison"] == nil }
        if rate == 0 { #expect(delivered + duplicates == healthy.count, "seed \(seed): the sum") }
        #expect(pda.violations == [], "seed \(seed)")
    }
}
