import CurlTransport
import PlugCore
import TestKit
import Testing

@testable import Throttling

/// What is to be forgotten reaches processes that remember it by themselves.
struct ForgottenLimitsTests {
    private struct Silent: HTTPSending {
        func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
            throw HTTPError(.cannotConnect, "nobody listens")
        }
    }

    @Test func aProcessForgetsWhatWasNamedAndKeepsTheRest() async throws {
        let clock = MovableClock()
        let throttling = RequestThrottling(notes: nil, transport: Silent(), clock: clock)
        for name in ["a at a.test", "b at b.test"] {
            await throttling.limits.source(name, []).close(for: .seconds(900), isLasting: false)
        }
        for _ in 1...5 { _ = try? await throttling.transport.send(HTTPRequest(url: "https://c.test/", side: .pda)) }
        #expect(
            throttling.heldBack().map(\.name) == ["host pda c.test:443", "limits a at a.test", "limits b at b.test"]
        )
        await throttling.forget(.names(["limits a at a.test", "host pda c.test:443"]))
        #expect(throttling.heldBack().map(\.name) == ["limits b at b.test"])
        await throttling.forget(.all)
        #expect(throttling.heldBack() == [])
    }

    @Test func whoLooksAwayHearsOfAllWishesSince() {
        var wishes = ForgottenLimits(nil)
        #expect(wishes.news(since: 0) == nil)
        wishes.add(["a"], at: 10)
        // A clock that stands still or goes back makes no wish disappear.
        wishes.add(["b"], at: 5)
        let read = ForgottenLimits(wishes.note(at: 20))
        #expect(read == wishes && read.serial == 11)
        #expect(read.news(since: 0) == .names(["a", "b"]) && read.news(since: 10) == .names(["b"]))
        #expect(read.news(since: 11) == nil)
        wishes.add(nil, at: 30)
        #expect(wishes.news(since: 10) == .all)
        for number in 1...40 { wishes.add(["n\(number)"], at: 100) }
        #expect(wishes.news(since: 11) == .all && wishes.news(since: wishes.serial - 1) == .names(["n40"]))
    }
}
