import LosslessJSON
import PlugCore
import TestKit
import Testing

@testable import PlugDeliver

/// Records at which the PDA fails, whatever it answers, while it takes all others.
struct PoisonTests {
    private func stumbling(_ number: Int) -> String { record(number, ",\"stumble\":true") }

    @Test(
        "a record at which the PDA always fails holds up no other",
        arguments: [Fault.failsBefore, .failsAfter, .lostBefore, .html400, .html200, .html201, .html403]
    )
    func oneRecordOfABatch(fault: Fault) async {
        let pda = ModelPDA(stumble: fault)
        let receipt = await deliverer(to: pda).deliver(block((0..<500).map { $0 == 321 ? stumbling($0) : record($0) }))
        #expect(receipt.stop == nil)
        #expect(receipt.doubt == nil || receipt.fates.last == .delivered)
        #expect(receipt.fates.indices.filter { receipt.fates[$0] != .delivered } == [321])
        if case .unanswered = receipt.fates[321] {} else { Issue.record("\(receipt.fates[321])") }
        #expect(Set(pda.stored).count == pda.stored.count)
        // Where the PDA stores and does not say so, each record has to be asked for.
        #expect(pda.log.count < ([.failsAfter, .html201].contains(fault) ? 600 : 60))
    }

    @Test("versions are stored in their order, also where one of them is poison")
    func versionsKeepTheirOrder() async throws {
        for seed in 0..<20 {
            let pda = ModelPDA(stumble: .failsBefore)
            let clock = FakeClock(seed: UInt64(seed))
            var block = RecordBlock()
            for version in 1...3 {
                for id in 0..<10 {
                    let more = id == 3 && version == 1 ? ",\"stumble\":true" : ""
                    let text = "{\"_id\":\"demo/items/\(id)@\(version)\",\"v\":\(version)\(more)}"
                    block.append(text.utf8, identity: "demo/items/\(id)@\(version)".utf8)
                }
            }
            _ = await deliverer(to: pda, clock: clock).deliver(block)
            var newest: [String: Int64] = [:]
            for record in pda.stored {
                let identity = String(record["_id"]?.stringText?.split(separator: "@").first ?? "")
                let version = record["v"]?.number?.int64 ?? 0
                #expect(newest[identity] ?? 0 < version, "seed \(seed): \(identity)")
                newest[identity] = version
            }
            #expect(newest.count == 9)
        }
    }

    @Test("several of them are found, each alone")
    func severalRecords() async {
        let bad: Set<Int> = [0, 1, 250, 498, 499]
        let pda = ModelPDA()
        let receipt = await deliverer(to: pda).deliver(
            block((0..<1200).map { bad.contains($0) ? stumbling($0) : record($0) })
        )
        #expect(receipt.stop == nil)
        #expect(Set(receipt.fates.indices.filter { receipt.fates[$0] != .delivered }) == bad)
    }

    @Test("a PDA that fails at everything is out of order: nothing is anybody's fault, and few requests are made")
    func everythingFails() async {
        for fault in [Fault.failsBefore, .lostBefore, .html400] {
            let pda = ModelPDA(faults: { _ in fault })
            let receipt = await deliverer(to: pda).deliver(block((0..<500).map { record($0) }))
            #expect(receipt.fates == Array(repeating: .undelivered, count: 500))
            #expect(receipt.isOutage)
            // Five tries of the batch, and three single records.
            #expect(pda.log == Array(repeating: "strict 500", count: 5) + Array(repeating: "strict 1", count: 3))
        }
    }

    @Test("a single record that gets no answer waits; a second one makes it the PDA's trouble")
    func singleRecords() async {
        let pda = ModelPDA(faults: { _ in .failsBefore })
        let deliverer = deliverer(to: pda)
        let first = await deliverer.deliver(block([record(0)]))
        #expect(first.stop == nil)
        #expect(first.doubt?.code == "pda-failing")
        if case .unanswered = first.fates[0] {} else { Issue.record("\(first.fates)") }
        let second = await deliverer.deliver(block([record(1)]))
        #expect(second.fates == [.undelivered])
        #expect(second.stop?.code == "pda-failing" && second.isOutage)
    }

    @Test("what the PDA says to one in JSON it says to all: a forbidden plug is no poison")
    func forbidden() async {
        let pda = ModelPDA(faults: { _ in .forbidden })
        let receipt = await deliverer(to: pda).deliver(block((0..<10).map { record($0) }))
        #expect(receipt.stop?.code == "pda-forbidden")
        #expect(pda.log == ["strict 10"])
    }
}
