import LosslessJSON
import PlugCore
import PlugDeliver
import Synchronization
import TestKit
import Testing

struct DelivererTests {
    @Test func anAcknowledgedBatchIsDeliveredInOneRequest() async {
        let pda = ModelPDA()
        let records = (0..<3).map { record($0) }
        let receipt = await deliverer(to: pda).deliver(block(records))
        #expect(receipt.fates == [.delivered, .delivered, .delivered])
        #expect(receipt.stop == nil)
        #expect((receipt.requests, receipt.bytesOut, receipt.bytesIn) == (1, 10, 20))
        #expect(pda.state.withLock { $0.bodies } == [Array("[\(records.joined(separator: ","))]".utf8)])
        #expect(pda.violations == [])
    }

    @Test func batchesKeepToTheirLimitsAndALargeRecordTravelsAlone() async {
        let pda = ModelPDA()
        let large = record(3, ",\"z\":\"\(String(repeating: "x", count: 200))\"")
        let records = [record(0), record(1), record(2), large, record(4)]
        let receipt = await deliverer(to: pda) {
            $0.maximumBatchRecords = 2
            $0.maximumBatchBytes = 150
        }.deliver(block(records))
        #expect(receipt.fates.allSatisfy { $0 == .delivered })
        #expect(pda.log == ["strict 2", "strict 1", "strict 1", "strict 1"])
        #expect(pda.stored == records.map(value))
    }

    @Test func onlyTheSelectionIsSent() async {
        let pda = ModelPDA()
        let receipt = await deliverer(to: pda)
            .deliver(block((0..<5).map { record($0) }), selection: [1, 4], to: thingsPath)
        #expect(receipt.fates == [.delivered, .delivered])
        #expect(pda.stored == [value(record(1)), value(record(4))])
    }

    @Test func duplicatesAreProvedOneByOne() async {
        let records = (0..<4).map { record($0) }
        let pda = ModelPDA(before: [value(records[1]), value(records[2])])
        let receipt = await deliverer(to: pda).deliver(block(records))
        #expect(receipt.fates == [.delivered, .duplicate, .duplicate, .delivered])
        #expect(pda.log == ["strict 4", "skip 4", "strict 1", "strict 1"])
    }

    @Test func whatWasStoredBeforeTheAnswerWasLostIsOurDelivery() async {
        let records = (0..<3).map { record($0) }
        let pda = ModelPDA { $0 == 0 ? .lostAfter : .none }
        let receipt = await deliverer(to: pda).deliver(block(records))
        #expect(receipt.fates == [.delivered, .delivered, .delivered])
        #expect(pda.log == ["strict 3", "strict 3", "skip 3", "strict 1", "strict 1", "strict 1"])
        #expect(pda.stored == records.map(value))
    }

    @Test(
        arguments: [
            // What the echo shows is proved; the rest is asked for one by one.
            (.shortEcho, ["strict 1"]), (.foreignEcho, ["strict 1", "strict 1", "strict 1"]),
            // What cannot be read shows nothing, neither what is stored nor what is not.
            (.brokenEcho, ["skip 3", "strict 1", "strict 1", "strict 1"]), (.html201, ["skip 3"]),
        ] as [(Fault, [String])]
    )
    func anAcknowledgementOfSomethingElseProvesNothing(fault: Fault, log: [String]) async {
        let records = (0..<3).map { record($0) }
        let pda = ModelPDA { $0 == 0 ? fault : .none }
        let receipt = await deliverer(to: pda).deliver(block(records))
        #expect(receipt.fates == [.delivered, .delivered, .delivered])
        #expect(pda.stored.count == 3)
        #expect(pda.log == ["strict 3"] + log)
    }

    @Test func recordsWithoutIdentityAreFoundByValue() async {
        let records = (0..<4).map { record($0, identified: false) }
        let pda = ModelPDA(before: [value(records[2])])
        let receipt = await deliverer(to: pda).deliver(block(records))
        #expect(receipt.fates == [.delivered, .delivered, .duplicate, .delivered])
        #expect(pda.log == ["strict 4", "skip 4", "strict 1"])
    }

    @Test func oneRecordTwiceInABatchIsStoredOnce() async {
        let pda = ModelPDA()
        let receipt = await deliverer(to: pda).deliver(block([record(1), record(1), record(2)]))
        #expect(receipt.fates == [.delivered, .duplicate, .delivered])
        #expect(pda.stored.count == 2)
    }

    @Test("of two states of one thing in a batch, each is judged by its own echo")
    func statesOfOneThingAreToldApart() async {
        let states = [#"{"_id":"demo/items/1","n":1}"#, #"{"_id":"demo/items/1","n":2}"#]
        for (before, fates) in [(0, [RecordFate.duplicate, .delivered]), (1, [.delivered, .duplicate])] {
            let pda = ModelPDA(before: [value(states[before])])
            let receipt = await deliverer(to: pda).deliver(block(states))
            #expect(receipt.fates == fates)
            #expect(pda.log == ["strict 2", "skip 2", "strict 1"])
        }
    }

    @Test(
        "a delivery that takes long pauses for a commit once something is proved, and ends in as many calls as it needs"
    )
    func pauses() async {
        let records = (0..<6).map { record($0) }
        let pda = ModelPDA(before: records.map(value))
        let slow = deliverer(to: pda, clock: FakeClock(fixed: 0.5, tick: 500_000))
        var left = Array(0..<6)
        var proved: [Int] = []
        while !left.isEmpty {
            let receipt = await slow.deliver(block(records), selection: left, to: thingsPath, pauses: true)
            let done = receipt.fates.count { $0 == .duplicate }
            // A second is two ticks.
            #expect(receipt.isPaused == (done < left.count) && receipt.stop == nil)
            #expect(receipt.fates == left.indices.map { $0 < done ? .duplicate : .undelivered })
            proved.append(done)
            left.removeFirst(done)
        }
        #expect(proved.count > 1 && proved.allSatisfy { $0 > 0 } && proved.reduce(0, +) == 6)
        let whole = await deliverer(to: pda, clock: FakeClock(fixed: 0.5, tick: 500_000)).deliver(block(records))
        #expect(whole.fates == records.map { _ in .duplicate } && !whole.isPaused)
    }

    @Test func tooMuchForThePDAIsHalved() async {
        let records = (0..<4).map { record($0) }
        let pda = ModelPDA(maximumBytes: 120)
        let receipt = await deliverer(to: pda).deliver(block(records))
        #expect(receipt.fates.allSatisfy { $0 == .delivered })
        #expect(pda.log == ["strict 4", "strict 2", "strict 2"])
        #expect(pda.stored == records.map(value))
    }

    @Test func theBudgetOfSingleProbesSpansTheRun() async {
        let records = (0..<6).map { record($0) }
        let pda = ModelPDA(before: records.map(value))
        let deliverer = deliverer(to: pda) { $0.probesPerRun = 4 }
        let first = await deliverer.deliver(block(Array(records[..<3])))
        let second = await deliverer.deliver(block(Array(records[3...])))
        #expect(first.fates == [.duplicate, .duplicate, .duplicate])
        #expect(second.fates == [.duplicate, .undelivered, .undelivered])
        #expect(second.stop?.code == "probe-budget")
        #expect(second.stop?.exit == .tryLater)
    }

    @Test func acceptingDuplicatesAsksForASample() async {
        let records = (0..<100).map { record($0) }
        let pda = ModelPDA(before: records.map(value))
        let receipt = await deliverer(to: pda) {
            $0.acceptsDuplicates = true
            $0.probesPerRun = 10
        }.deliver(block(records))
        #expect(receipt.fates == Array(repeating: .duplicate, count: 100))
        #expect(receipt.stop == nil)
        #expect(receipt.requests == 34)
    }

    @Test func acceptingDuplicatesAcceptsNothingWhenTheSampleHoldsSomethingElse() async {
        let records = (0..<40).map { record($0, $0 % 2 == 0 ? ",\"poison\":1" : "") }
        let pda = ModelPDA(before: records.map(value).filter { $0["poison"] == nil })
        let receipt = await deliverer(to: pda) { $0.acceptsDuplicates = true }.deliver(block(records))
        #expect(!receipt.fates.enumerated().contains { $0.offset % 2 == 0 && $0.element == .duplicate })
    }

    @Test func cancellationKeepsWhatWasProved() async {
        let pda = ModelPDA()
        let deliverer = deliverer(to: pda) { $0.maximumBatchRecords = 1 }
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await deliverer.deliver(block([record(1)]))
        }
        let receipt = await task.value
        #expect(receipt.fates == [.undelivered])
        #expect(receipt.stop?.exit == .interrupted)
        #expect(pda.log == [])
    }
}
