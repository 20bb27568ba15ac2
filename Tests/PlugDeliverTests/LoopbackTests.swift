import CurlTransport
import LosslessJSON
import PlugCore
import PlugDeliver
import TestKit
import Testing

/// The same promise over real sockets.
@Suite(.fewAtATime)
struct LoopbackTests {
    private func deliver(
        _ records: [String],
        to pda: ModelPDA
    ) async throws -> DeliveryReceipt {
        let server = try LoopbackServer.pda(pda)
        defer { server.stop() }
        var policy = NetworkPolicy()
        policy.trustedPDAs = ["127.0.0.1:\(server.port)"]
        let transport = try HTTPTransport(policy: policy)
        let append = AppendOnlyPDA(
            origin: "http://127.0.0.1:\(server.port)",
            namespace: "plugs",
            token: FixedToken("token"),
            transport: transport
        )
        let receipt = await Deliverer(pda: append, clock: FakeClock()).deliver(block(records))
        await transport.shutDown()
        return receipt
    }

    @Test func aThousandRecordsArriveInTwoRequests() async throws {
        let pda = ModelPDA()
        let records = (0..<1000).map { record($0) }
        let receipt = try await deliver(records, to: pda)
        #expect(receipt.stop == nil)
        #expect(receipt.fates == Array(repeating: .delivered, count: 1000))
        #expect(pda.log == ["strict 500", "strict 500"])
        #expect(pda.stored == records.map(value))
        #expect(pda.violations == [])
        #expect(receipt.bytesOut > records.map(\.utf8.count).reduce(0, +))
    }

    @Test func aConnectionThatEndsBeforeOrAfterStoringLosesAndDoublesNothing() async throws {
        for fault in [Fault.lostBefore, .lostAfter] {
            let pda = ModelPDA { $0 == 0 ? fault : .none }
            let records = (0..<5).map { record($0) }
            let receipt = try await deliver(records, to: pda)
            #expect(receipt.fates == Array(repeating: .delivered, count: 5), "\(fault)")
            #expect(pda.stored == records.map(value), "\(fault)")
        }
    }

    @Test func anEchoThatIsThreeTimesAsLongIsReadWhole() async throws {
        let pda = ModelPDA { _ in .escapedEcho }
        let records = (0..<100).map { record($0, #","text":"\#(String(repeating: "ж😀", count: 2000))""#) }
        let receipt = try await deliver(records, to: pda)
        #expect(receipt.fates == Array(repeating: .delivered, count: 100))
        #expect(pda.log == ["strict 86", "strict 14"])
    }

    @Test func redirectsAreNotFollowed() async throws {
        let pda = ModelPDA { _ in .elsewhere }
        let receipt = try await deliver([record(0)], to: pda)
        #expect(receipt.stop?.code == "pda-redirect")
        #expect(pda.log == ["strict 1"])
    }

    @Test func nobodyThereIsUnreachable() async throws {
        let server = try LoopbackServer.pda(ModelPDA())
        let port = server.port
        server.stop()
        var policy = NetworkPolicy()
        policy.trustedPDAs = ["127.0.0.1:\(port)"]
        let append = AppendOnlyPDA(
            origin: "http://127.0.0.1:\(port)",
            namespace: "plugs",
            token: FixedToken("token"),
            transport: try HTTPTransport(policy: policy)
        )
        let receipt = await Deliverer(pda: append, clock: FakeClock()).deliver(block([record(0)]))
        #expect(receipt.stop?.code == "pda-unreachable")
        #expect(receipt.stop?.exit == .unreachable)
        #expect(receipt.fates == [.undelivered])
    }
}
