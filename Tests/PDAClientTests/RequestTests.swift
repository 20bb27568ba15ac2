import CurlTransport
import LosslessJSON
import PDAClient
import PDAWire
import PlugCore
import Testing

struct RequestTests {
    private func client(
        _ sending: ScriptedSending,
        _ tokens: InMemoryTokens = InMemoryTokens(Secret("T0"))
    ) -> PDA {
        PDA("pda.example.net", tokens: tokens, transport: sending)
    }

    private func failure(_ result: PDAResult) throws -> (PDAError, Int?, JSONValue?) {
        guard case .failure(let error, let status, let json) = result else {
            throw PDAError(.unexpectedStatus, "should have failed")
        }
        return (error, status, json)
    }

    @Test func s1S7S9SendTheCallAsGivenWithTheToken() async throws {
        let sending = ScriptedSending(.answer(201, #"{"a":1.10}"#))
        let result = await client(sending).request(
            PDARequest(
                "/api/v2.6/data/a/b",
                method: "POST",
                parameters: .object([:]),
                headers: [HTTPHeader("X-Own", "1")]
            )
        )
        #expect(try result.value().compactText == #"{"a":1.10}"#)
        let sent = try #require(await sending.requests.first)
        #expect(sent.url == "https://pda.example.net/api/v2.6/data/a/b")
        #expect(sent.method == "POST")
        #expect(sent.body == Array("{}".utf8))
        #expect(sent.side == .pda)
        let headers = HTTPHeaders(sent.headers)
        #expect(headers.first("x-auth-token") == "T0")
        #expect(headers.first("content-type") == "application/json")
        #expect(headers.first("x-own") == "1")
    }

    @Test func s1EncodesFormsAndQueries() async throws {
        let numbers: JSONValue = .array([.integer(1), .integer(2)])
        let parameters: JSONValue = .object(["q": .text("a b&ü"), "n": numbers, "no": .null])
        let sending = ScriptedSending(.answer(200, "[]"), .answer(200, "[]"))
        let client = client(sending)
        _ = await client.request(PDARequest("/x?y=1", encoding: .query, parameters: parameters))
        _ = await client.request(PDARequest("/x", method: "POST", encoding: .form, parameters: parameters))
        let sent = await sending.requests
        let pda = "https://pda.example.net/x"
        #expect(sent.map(\.url) == ["\(pda)?y=1&q=a%20b%26%C3%BC&n=1&n=2", pda])
        #expect(sent.last?.body == Array("q=a%20b%26%C3%BC&n=1&n=2".utf8))
        #expect(HTTPHeaders(sent.last?.headers ?? []).first("content-type") == "application/x-www-form-urlencoded")
    }

    @Test func s2S4S18ErrorStatusesAreFailuresInBothForms() async throws {
        let framework = #"{"error":"Not Authenticated","message":"Not Authenticated"}"#
        let application = #"{"message":"Bad Request","cause":"Duplicate data - Duplicate data"}"#
        let sending = ScriptedSending(.answer(401, framework), .answer(400, application), .answer(599, ""))
        let client = client(sending)
        let first = try failure(await client.request(PDARequest("/x")))
        #expect(first.0.code == .notAuthenticated)
        #expect(first.0.failure == PDAFailure(.framework, title: "Not Authenticated", cause: "Not Authenticated"))
        #expect(first.1 == 401)
        #expect(first.2?.compactText == framework)
        let second = try failure(await client.request(PDARequest("/x")))
        #expect(second.0.code == .duplicate)
        #expect(second.0.failure?.form == .application)
        let third = try failure(await client.request(PDARequest("/x")))
        #expect(third.0.code == .server)
        #expect(third.2 == nil)
    }

    @Test func s3AnAnswerThatIsNeitherSuccessNorErrorIsNoSuccess() async throws {
        let result = await client(ScriptedSending(.answer(304, ""))).request(PDARequest("/x"))
        guard case .success(false, 304, .null, nil) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(throws: PDAError.self) { try result.value() }
    }

    @Test func s5KeepsARefreshedTokenInAnyCaseAndIgnoresAnEmptyOne() async throws {
        let tokens = InMemoryTokens(Secret("T0"))
        let sending = ScriptedSending(
            .answer(200, "[]", ["x-aUTH-token": "T1"]),
            .answer(404, "{}", ["X-Auth-Token": "T2"]),
            .answer(200, "[]", ["x-auth-token": ""])
        )
        let client = client(sending, tokens)
        guard case .success(true, 200, _, let token) = await client.request(PDARequest("/x")) else {
            Issue.record("no success")
            return
        }
        #expect(token == Secret("T1"))
        #expect(await tokens.current() == Secret("T1"))
        _ = await client.request(PDARequest("/x"))
        #expect(await tokens.current() == Secret("T2"))
        _ = await client.request(PDARequest("/x"))
        #expect(await tokens.current() == Secret("T2"))
    }

    @Test func s6TransportFaultsAreFailuresWithoutAStatus() async throws {
        let sending = ScriptedSending(.failure(HTTPError(.timedOut, "slow", mayHaveArrived: true)))
        let (error, status, json) = try failure(await client(sending).request(PDARequest("/x?secret=1", method: "PUT")))
        #expect(error.code == .transport)
        #expect(error.mayHaveArrived)
        #expect(error.message == "PUT https://pda.example.net/x got no answer (timed_out)")
        #expect(status == nil)
        #expect(json == nil)
    }

    @Test func pagesAndRedirectsAreRecognisedNotDecoded() async throws {
        let sending = ScriptedSending(
            .answer(200, "<html>", ["Content-Type": "text/html; charset=utf-8"]),
            .answer(302, "", ["Location": "/"]),
            .answer(200, "nonsense"),
            .answer(413, "<html>", ["Content-Type": "text/html"])
        )
        let client = client(sending)
        var codes: [PDAError.Code] = []
        for _ in 0..<4 { codes.append(try failure(await client.request(PDARequest("/x"))).0.code) }
        #expect(codes == [.html, .redirected, .notJSON, .tooLarge])
    }

    @Test func theTokenGoesToNoOtherOriginAndNoTokenIsTakenFromThere() async throws {
        let tokens = InMemoryTokens(Secret("T0"))
        let sending = ScriptedSending(.answer(200, "[]", ["x-auth-token": "EVIL"]))
        _ = await client(sending, tokens).request(PDARequest("https://pda.example.net.evil.example/x"))
        let sent = try #require(await sending.requests.first)
        #expect(HTTPHeaders(sent.headers).first("x-auth-token") == nil)
        #expect(sent.side == .source)
        #expect(await tokens.current() == Secret("T0"))
    }

    @Test func aCallThatCannotBeMadeIsRefusedUnsent() async throws {
        let sending = ScriptedSending()
        let client = client(sending)
        let nested: JSONValue = .object(["a": .object([:])])
        for request in [
            PDARequest("x"), PDARequest("ftp://pda.example.net/"),
            PDARequest("/x", parameters: .array([])), PDARequest("/x", encoding: .query, parameters: nested),
        ] {
            #expect(try failure(await client.request(request)).0.code == .invalidRequest)
        }
        #expect(await sending.requests.isEmpty)
    }
}
