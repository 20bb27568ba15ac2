import CurlTransport
import PlugCore
import PlugDeliver
import Synchronization
import TestKit
import Testing

/// What a delivery makes of a transport that spares a PDA.
struct PoliteDeliveryTests {
    /// Answers a few times, then not at all.
    private final class Wire: HTTPSending {
        private let answers: [Result<(Int, [HTTPHeader]), HTTPError>]
        private let requests = Mutex<[HTTPRequest]>([])
        init(_ answers: Result<(Int, [HTTPHeader]), HTTPError>...) { self.answers = answers }
        var retries: [Bool] { requests.withLock { $0.map(\.isRetry) } }

        func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
            let at = requests.withLock { requests in
                requests.append(request)
                return requests.count - 1
            }
            let (status, headers) = try answers[min(at, answers.count - 1)].get()
            return HTTPResponse(status: status, headers: HTTPHeaders(headers), url: request.url)
        }
    }

    private func deliver(_ wire: Wire) async -> DeliveryReceipt {
        let clock = FakeClock(fixed: 0.5)
        let pda = AppendOnlyPDA(
            origin: "https://alice.example",
            namespace: "plugs",
            token: FixedToken("token"),
            transport: wire,
            clock: clock
        )
        return await Deliverer(pda: pda, clock: clock).deliver(block([record(1)]))
    }

    @Test func anOpenCircuitStopsTheDeliveryAndLosesNothing() async {
        let wire = Wire(.failure(HTTPError(.circuitOpen, "alice.example:443 has failed too often")))
        let receipt = await deliver(wire)
        #expect(receipt.stop?.code == "pda-circuit-open")
        #expect(receipt.stop?.exit == .tryLater)
        let message = "no requests are sent to the PDA for a while: alice.example:443 has failed too often"
        #expect(receipt.stop?.message == message)
        #expect(receipt.fates == [.undelivered])
        #expect(wire.retries == [false])
    }

    /// A record alone may be what the PDA fails at: it waits, and what is sent next tells.
    @Test func aSpentBudgetSaysWhatTheLastTryCameTo() async {
        let wire = Wire(.success((500, [])), .failure(HTTPError(.retriesSpent, "nothing is tried again for now")))
        let receipt = await deliver(wire)
        #expect(receipt.stop == nil)
        #expect(receipt.doubt?.code == "pda-failing")
        #expect(receipt.doubt?.exit == .tryLater)
        #expect(receipt.doubt?.message.hasSuffix("; nothing is tried again for now") == true)
        #expect(receipt.fates == [.unanswered(reason: receipt.doubt?.message ?? "")])
        #expect(wire.retries == [false, true])
    }

    @Test func aTryThatThePDAAskedForIsNoSecondOne() async {
        let wire = Wire(
            .success((503, [HTTPHeader("Retry-After", "5")])),
            .success((500, [])),
            .success((401, []))
        )
        #expect(await deliver(wire).stop?.code == "pda-token")
        #expect(wire.retries == [false, false, true])
    }
}
