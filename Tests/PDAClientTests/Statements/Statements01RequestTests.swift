import CurlTransport
import LosslessJSON
import PDAClient
import TestKit
import Testing

/// S1–S9: the general call.
@Suite(.fewAtATime)
struct Statements01RequestTests {
    private static let refusal = #"{"error":"Not Found","message":"nothing here"}"#

    @Test func s01ACallTakesURLMethodEncodingContentTypeParametersAndHeaders() async throws {
        try await ScriptedServer.withClient(.answer(200, "{}")) { client, server async throws in
            let call = PDARequest(
                "/api/v2.6/data/a/b?x=1",
                method: "POST",
                encoding: .form,
                contentType: "application/x-own",
                parameters: .object(["q": .text("a b")]),
                headers: [HTTPHeader("X-Own", "1")]
            )
            _ = try await client.request(call).value()
            let sent = try #require(server.requests.first)
            #expect(server.lines == ["POST /api/v2.6/data/a/b?x=1"])
            #expect(sent.header("content-type") == "application/x-own")
            #expect(sent.header("x-own") == "1")
            #expect(sent.text == "q=a%20b")
        }
    }

    @Test func s02TheResultIsSuccessOrErrorWithStatusAndJSON() async throws {
        let answers = [(200, "[1]"), (404, Self.refusal)].map { Result<HTTPResponse, HTTPError>.answer($0, $1) }
        try await ScriptedServer.withClient(answers[0], answers[1]) { client, _ async throws in
            guard case .success(true, 200, .array([.integer(1)]), nil) = await client.request(PDARequest("/x")) else {
                Issue.record("no success")
                return
            }
            guard case .failure(let error, 404, let json?) = await client.request(PDARequest("/x")) else {
                Issue.record("no failure")
                return
            }
            #expect(error.code == .notFound)
            #expect(json.compactText == Self.refusal)
        }
    }

    /// Newer clients make a 404 an error (C11), and so does this one; the variant stays for what is neither.
    @Test func s03SuccessCanSayThatItIsNone() async throws {
        try await ScriptedServer.withClient(.answer(304, "")) { client, _ async throws in
            guard case .success(false, 304, .null, nil) = await client.request(PDARequest("/x")) else {
                Issue.record("should be neither")
                return
            }
        }
    }

    @Test(arguments: [200, 201, 202, 226, 299])
    func s04From200To299IsSuccess(status: Int) async throws {
        try await ScriptedServer.withClient(.answer(status, "{}")) { client, _ async throws in
            guard case .success(true, status, _, _) = await client.request(PDARequest("/x")) else {
                Issue.record("\(status)")
                return
            }
        }
    }

    @Test(arguments: [400, 401, 403, 404, 422, 499, 500, 503, 599])
    func s04From400To599IsFailure(status: Int) async throws {
        try await ScriptedServer.withClient(.answer(status, Self.refusal)) { client, _ async throws in
            guard case .failure(_, status, _?) = await client.request(PDARequest("/x")) else {
                Issue.record("\(status)")
                return
            }
        }
    }

    @Test func s05ARefreshedTokenIsOptionalAndAnEmptyOneIsNone() async throws {
        let tokens = InMemoryTokens(Secret("T0"))
        try await ScriptedServer.withClient(
            .answer(200, "{}", ["x-auth-TOKEN": "T1"]),
            .answer(200, "{}", ["X-Auth-Token": ""]),
            .answer(200, "{}"),
            tokens: tokens
        ) { client, server async throws in
            var given: [Secret?] = []
            for _ in 0..<3 {
                guard case .success(_, _, _, let token) = await client.request(PDARequest("/x")) else { continue }
                given.append(token)
            }
            #expect(given == [Secret("T1"), nil, nil])
            #expect(server.requests.map { $0.header("x-auth-token") } == ["T0", "T1", "T1"])
            #expect(await tokens.current() == Secret("T1"))
        }
    }

    @Test func s06TransportFaultsAreErrorsAndAnErrorMayHoldJSON() async throws {
        let lost = Result<HTTPResponse, HTTPError>.failure(HTTPError(.connectionLost, ""))
        try await ScriptedServer.withClient(lost, .answer(400, Self.refusal)) { client, _ async throws in
            guard case .failure(let error, nil, nil) = await client.request(PDARequest("/x")) else {
                Issue.record("should have failed")
                return
            }
            #expect(error.code == .transport)
            guard case .failure(_, 400, let json?) = await client.request(PDARequest("/x")) else {
                Issue.record("should have failed")
                return
            }
            #expect(json["message"]?.stringText == "nothing here")
        }
    }

    @Test func s07ParametersAndHeadersMayBeEmptyAndAreTheBodyOfAPost() async throws {
        try await ScriptedServer.withClient(.answer(200, "[]"), .answer(201, "{}"), .answer(201, "{}")) {
            client,
            server in
            for (method, parameters) in [("GET", JSONValue.object([:])), ("POST", .object([:])), ("POST", .integer(7))]
            {
                let call = PDARequest("/x", method: method, parameters: parameters, headers: [])
                _ = try await client.request(call).value()
            }
            #expect(server.requests.map(\.text) == [nil, "{}", "7"])
        }
    }

    @Test func s08TheDataURLHasTheAppAndAPathOfAnyDepth() async throws {
        let record = #"{"endpoint":"acme-steps/a/b/c","recordId":"1","data":1}"#
        try await ScriptedServer.withClient(.answer(201, record)) { client, server async throws in
            try await client.create(.integer(1), at: "acme-steps/a/b/c")
            #expect(server.lines == ["POST /api/v2.6/data/acme-steps/a/b/c"])
        }
        try await Sandbox.withOwner { client, _ in
            let stored = try await client.create(.integer(1), at: "acme-steps/a/b/c")
            #expect(stored.endpoint == "acme-steps/a/b/c")
        }
    }

    @Test func s09AuthenticatedCallsCarryTheTokenHeader() async throws {
        try await ScriptedServer.withClient(.answer(200, "[]")) { client, server async throws in
            _ = try await client.records(at: "a/b")
            #expect(server.requests.map { $0.header("X-Auth-Token") } == ["T0"])
        }
    }
}
