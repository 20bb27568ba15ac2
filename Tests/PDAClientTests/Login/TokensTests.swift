import CurlTransport
import LosslessJSON
import PDAClient
import PlugCore
import Synchronization
import Testing

struct TokensTests {
    @Test func anOlderTokenNeverReplacesANewerOne() async {
        let (first, second, third) = (
            unsigned("j", issuedAt: 1), unsigned("j", issuedAt: 2), unsigned("j", issuedAt: 3)
        )
        let tokens = InMemoryTokens(first)
        // Two requests went with the first token, and the answers came in the wrong order.
        await tokens.refreshed(third, of: first)
        await tokens.refreshed(second, of: first)
        #expect(await tokens.current() == third)
    }

    @Test func aLateAnswerUndoesNeitherLogOutNorAnotherLogIn() async {
        let old = unsigned("old", issuedAt: 5)
        let tokens = InMemoryTokens(old)
        let other = unsigned("new", issuedAt: 4)
        await tokens.set(other)
        await tokens.refreshed(unsigned("old", issuedAt: 6), of: old)
        #expect(await tokens.current() == other)
        await tokens.set(nil)
        await tokens.refreshed(unsigned("new", issuedAt: 7), of: other)
        #expect(await tokens.current() == nil)
    }

    @Test func tokensThatSayNothingReplaceWhatWasSent() async {
        let tokens = InMemoryTokens(Secret("T0"))
        await tokens.refreshed(Secret("T1"), of: Secret("T0"))
        await tokens.refreshed(Secret("T2"), of: Secret("T0"))
        #expect(await tokens.current() == Secret("T1"))
    }

    /// A source of one's own needs two members.
    private actor Own: PDATokens {
        var token = unsigned("j", issuedAt: 1)
        func current() -> Secret? { token }
        func refreshed(_ token: Secret) { self.token = token }
    }

    @Test func aSourceOfOnesOwnGetsTheSameRule() async {
        let own = Own()
        let source: any PDATokens = own
        await source.refreshed(unsigned("j", issuedAt: 3), of: unsigned("j", issuedAt: 1))
        await source.refreshed(unsigned("j", issuedAt: 2), of: unsigned("j", issuedAt: 1))
        #expect(await own.token == unsigned("j", issuedAt: 3))
    }

    /// Answers each request with a newer token than the one before.
    private final class Refreshing: HTTPSending {
        let issued = Mutex(Int64(1))
        func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
            let at = issued.withLock { issued in
                issued += 1
                return issued
            }
            await Task.yield()
            let header = HTTPHeader("x-AUTH-token", unsigned("j", issuedAt: at).reveal())
            return HTTPResponse(
                status: 200,
                headers: HTTPHeaders([header]),
                body: JSONBuffer(Array("[]".utf8)),
                url: request.url
            )
        }
    }

    @Test func manyRequestsAtOnceEndWithTheNewestToken() async {
        let tokens = InMemoryTokens(unsigned("j", issuedAt: 1))
        let client = PDA("pda.example.net", tokens: tokens, transport: Refreshing())
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { _ = await client.request(PDARequest("/x")) } }
        }
        #expect(await tokens.current() == unsigned("j", issuedAt: 101))
    }
}
