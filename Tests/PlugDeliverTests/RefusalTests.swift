import PlugCore
import PlugDeliver
import TestKit
import Testing

struct RefusalTests {
    private let reason = "400 Bad Request: Duplicate data - Unexpected issue with inserting data"
    private func poison(_ number: Int) -> String { record(number, ",\"poison\":true") }

    @Test func oneBadRecordCostsThreeMoreRequests() async {
        let records = (0..<1000).map { $0 == 123 ? poison($0) : record($0) }
        let pda = ModelPDA()
        let receipt = await deliverer(to: pda).deliver(block(records))
        #expect(pda.log == ["strict 500", "skip 500", "strict 1", "strict 500", "strict 1"])
        #expect(receipt.fates[123] == .deadLetter(reason: reason))
        #expect(receipt.fates.filter { $0 == .delivered }.count == 999)
        #expect(receipt.stop == nil)
    }

    @Test func withoutAnAcceptedRecordSinceTheRefusalWaitsForMoreEvidence() async {
        let pda = ModelPDA()
        let deliverer = deliverer(to: pda)
        let first = await deliverer.deliver(block([record(0), poison(1), record(2)]))
        #expect(first.fates == [.delivered, .refused(reason: reason), .delivered])
        // Later in the same run another record is accepted, and the refused one is given again.
        _ = await deliverer.deliver(block([record(3)]))
        let second = await deliverer.deliver(block([poison(1)]))
        #expect(second.fates == [.deadLetter(reason: reason)])
    }

    @Test func threeRunsAreEvidenceToo() async {
        let pda = ModelPDA()
        for (earlier, fate) in [
            (0, RecordFate.refused(reason: reason)), (1, .refused(reason: reason)), (2, .deadLetter(reason: reason)),
        ] {
            let receipt = await deliverer(to: pda).deliver(block([poison(1)])) { _ in earlier }
            #expect(receipt.fates == [fate])
        }
    }

    @Test func aPDAThatRefusesEverythingIsInTroubleAndCondemnsNothing() async {
        let pda = ModelPDA(refusesAll: true)
        let receipt = await deliverer(to: pda).deliver(block((0..<40).map { record($0) })) { _ in 2 }
        #expect(receipt.fates == Array(repeating: .undelivered, count: 40))
        #expect(receipt.stop?.code == "pda-refuses")
        #expect(
            receipt.stop?.message
                == "the PDA refused 10 of 10 single records for plugs/things/new, the last with status 400"
        )
        #expect(receipt.stop?.exit == .tryLater)
        #expect(pda.log.filter { $0 == "strict 1" }.count == 10)
    }

    @Test func aRecordThatIsTooLargeAloneIsRefused() async {
        let large = record(1, ",\"z\":\"\(String(repeating: "x", count: 500))\"")
        let pda = ModelPDA(maximumBytes: 400)
        let receipt = await deliverer(to: pda).deliver(block([record(0), large, record(2), record(3)])) { _ in 2 }
        #expect(
            receipt.fates == [
                .delivered, .deadLetter(reason: "413: too large for the PDA, even alone"), .delivered, .delivered,
            ]
        )
        #expect(pda.stored.count == 3)
    }

    @Test func recordsThatHalvingARefusedRequestLeavesAloneCountAsProbes() async {
        // Strict and skipping errors are refused for all four and for both halves; each record alone is taken.
        let refused: Set = [0, 1, 2, 3, 6, 7]
        let pda = ModelPDA { refused.contains($0) ? .invalid : .none }
        let receipt = await deliverer(to: pda) { $0.probesPerRun = 3 }.deliver(block((1...4).map { record($0) }))
        #expect(receipt.fates == [.delivered, .delivered, .delivered, .undelivered])
        #expect(receipt.stop?.code == "probe-budget")
    }

    @Test func recordsThatAreTooLargeTogetherNeedNoProbes() async {
        let pda = ModelPDA(maximumBytes: record(1).utf8.count + 2)
        let receipt = await deliverer(to: pda) { $0.probesPerRun = 0 }.deliver(block((1...4).map { record($0) }))
        #expect(receipt.fates == Array(repeating: .delivered, count: 4))
        #expect(receipt.stop == nil)
    }
}
