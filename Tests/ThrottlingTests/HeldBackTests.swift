import CurlTransport
import PlugCore
import TestKit
import Testing

@testable import Throttling

/// What an operator is told of that keeps requests back.
struct HeldBackTests {
    private struct Silent: HTTPSending {
        func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
            throw HTTPError(.cannotConnect, "nobody listens")
        }
    }

    @Test func sourcesThatAskedToWaitAndHostsThatFailAreToldWithTheirTimes() async throws {
        let clock = MovableClock()
        let throttling = RequestThrottling(notes: nil, transport: Silent(), clock: clock)
        #expect(throttling.heldBack() == [])
        await throttling.limits.source("plays at a.test", []).close(for: .seconds(90), isLasting: false)
        let asked = RememberedLimit(
            name: "limits plays at a.test",
            kind: .source,
            until: clock.now() + 90_000_000,
            reason: "the source asked to wait"
        )
        #expect(throttling.heldBack() == [asked])
        for _ in 1...5 {
            _ = try? await throttling.transport.send(HTTPRequest(url: "https://b.test/", side: .pda))
        }
        let found = throttling.heldBack()
        #expect(found.map(\.name) == ["host pda b.test:443", "limits plays at a.test"])
        #expect(found.map(\.kind) == [.circuit, .source] && found[0].reason == "nobody listens")
        #expect((found[0].until ?? 0) > clock.now())
        clock.advance(.seconds(90))
        #expect(throttling.heldBack().map(\.kind) == [.circuit])
    }
}
