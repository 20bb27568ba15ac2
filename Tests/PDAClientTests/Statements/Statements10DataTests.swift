import CurlTransport
import LosslessJSON
import PDAClient
import PDAWire
import TestKit
import Testing

/// S10–S18: records, against the sandbox, and in the documentation's own form against written answers.
@Suite(.fewAtATime)
struct Statements10DataTests {
    private static let endpoint = "acme-steps/randomdata"
    /// The documentation shows one object where servers give a list, and the endpoint without its namespace.
    private static let shown = #"{"endpoint":"randomdata","recordId":"5","data":{"a":1}}"#

    private static func data(_ text: String) throws -> JSONValue { try JSONValue(parsing: text) }

    @Test func s10WritingIsAPostThatAnswers201() async throws {
        try await Sandbox.withOwner { client, _ in
            let call = PDARequest(PDARoute.records + "/" + Self.endpoint, method: "POST", parameters: .object([:]))
            guard case .success(true, 201, _, _?) = await client.request(call) else {
                Issue.record("no 201 with a refreshed token")
                return
            }
        }
    }

    @Test func s11WritingAnswersEndpointIdAndTheDataThatWasSent() async throws {
        try await Sandbox.withOwner { client, _ in
            let data = try Self.data(#"{"a":{"b":[1.5,null,"ü"]}}"#)
            let record = try await client.create(data, at: Self.endpoint)
            #expect(record.endpoint == Self.endpoint)
            #expect(record.recordID?.utf8.count == 36)
            #expect(record.data == data)
            #expect(Set(record.json.object?.keys.map(\.text) ?? []) == ["endpoint", "recordId", "data", "links"])
        }
        try await ScriptedServer.withClient(.answer(201, Self.shown)) { client, _ async throws in
            let record = try await client.create(try Self.data(#"{"a":1}"#), at: Self.endpoint)
            #expect(record.json.compactText == Self.shown)
        }
    }

    @Test func s12ReadingIsAGetOfTheSameURLAndAnswers200() async throws {
        try await Sandbox.withOwner { client, _ in
            let written = try await client.create(.text("x"), at: Self.endpoint)
            let read = try await client.records(at: Self.endpoint)
            #expect(read.map(\.recordID) == [written.recordID])
            #expect(read.first?.json.object?.keys.map(\.text) == ["endpoint", "recordId", "data"])
        }
        try await ScriptedServer.withClient(.answer(200, Self.shown)) { client, server async throws in
            #expect(try await client.records(at: Self.endpoint).map(\.json.compactText) == [Self.shown])
            #expect(server.lines == ["GET /api/v2.6/data/\(Self.endpoint)"])
        }
    }

    @Test func s13UpdatingIsAPutOfAnArrayEvenForOne() async throws {
        try await ScriptedServer.withClient(.answer(201, "[]")) { client, server async throws in
            try await client.update([DataRecord(endpoint: Self.endpoint, recordID: "5", data: .integer(1))])
            #expect(server.lines == ["PUT /api/v2.6/data"])
            let body = #"[{"endpoint":"acme-steps/randomdata","recordId":"5","data":1}]"#
            #expect(server.requests.first?.text == body)
        }
    }

    @Test func s14UpdatingAnswers201WithTheSameIdAndTheNewFields() async throws {
        try await Sandbox.withOwner { client, _ in
            var record = try await client.create(try Self.data(#"{"a":1}"#), at: Self.endpoint)
            record.data = try Self.data(#"{"a":2,"b":true}"#)
            let changed = try await client.update([record])
            #expect(changed.map(\.recordID) == [record.recordID])
            #expect(changed.map(\.data) == [record.data])
            #expect(try await client.records(at: Self.endpoint).map(\.data) == [record.data])
        }
        try await ScriptedServer.withClient(.answer(201, Self.shown)) { client, _ async throws in
            let record = DataRecord(endpoint: Self.endpoint, recordID: "5", data: .null)
            #expect(try await client.update([record]).map(\.json.compactText) == [Self.shown])
        }
    }

    @Test func s15DeletingIsADeleteWithRecords() async throws {
        try await ScriptedServer.withClient(.answer(200, #"{"message":"All records deleted"}"#)) {
            client,
            server async throws in
            try await client.delete(records: ["5"])
            #expect(server.lines == ["DELETE /api/v2.6/data?records=5"])
        }
    }

    @Test func s16SeveralRecordsAreDeletedInOneRequest() async throws {
        try await Sandbox.withOwner { client, _ in
            let values = (0..<40).map { JSONValue.integer($0) }
            let ids = try await client.create(values, at: Self.endpoint).answered.compactMap(\.recordID)
            #expect(ids.count == 40)
            try await client.create(.text("stays"), at: Self.endpoint)
            try await client.delete(records: ids)
            #expect(try await client.records(at: Self.endpoint).map(\.data) == [.text("stays")])
        }
    }

    @Test func s17DeletingAnswers200AndItsMessage() async throws {
        try await Sandbox.withOwner { client, _ in
            let id = try #require(try await client.create(.integer(1), at: Self.endpoint).recordID)
            let call = PDARequest(
                PDARoute.records,
                method: "DELETE",
                encoding: .query,
                parameters: .object(["records": .text(id)])
            )
            guard case .success(true, 200, let json, _) = await client.request(call) else {
                Issue.record("no 200")
                return
            }
            #expect(json.compactText == #"{"message":"All records deleted"}"#)
        }
    }

    @Test func s18AFailedCallSaysErrorAndMessage() async throws {
        try await Sandbox.withOwner { client, transport in
            let nobody = PDA(client.origin, tokens: InMemoryTokens(), transport: transport)
            let failure = await pdaError { _ = try await nobody.records(at: Self.endpoint) }
            #expect(failure?.status == 401)
            #expect(failure?.code == .notAuthenticated)
            #expect(failure?.failure?.form == .framework)
            #expect(failure?.failure?.title == "Not Authenticated")
            #expect(failure?.failure?.cause == "Not Authenticated")
        }
    }
}
