import CurlTransport
import LosslessJSON
import PDAClient
import Testing

struct CreatingTests {
    private func client(_ sending: ScriptedSending) -> PDA {
        PDA("pda.example.net", tokens: InMemoryTokens(Secret("T0")), transport: sending)
    }

    private func record(_ id: Int, _ data: String) -> String {
        #"{"endpoint":"a/b","recordId":"\#(id)","data":\#(data),"links":[]}"#
    }

    @Test func oneRecordIsReadFromAnObjectOrAnArrayAnd200Or201() async throws {
        let one = record(1, #"{"n":1.10}"#)
        let sending = ScriptedSending(.answer(201, one), .answer(200, "[\(one)]"), .answer(201, "[]"))
        let client = client(sending)
        let data = try JSONValue(parsing: #"{"n":1.10}"#)
        for _ in 0..<2 {
            let created = try await client.create(data, at: "a/b")
            #expect(created.recordID == "1")
            #expect(created.json.compactText == one)
        }
        let failure = await pdaError { try await client.create(data, at: "a/b") }
        #expect(failure == PDAError(.undecodable, "the value should be one record, not 0", mayHaveArrived: true))
        let sent = try #require(await sending.requests.first)
        #expect(sent.method == "POST")
        #expect(sent.url == "https://pda.example.net/api/v2.6/data/a/b")
        #expect(sent.text == #"{"n":1.10}"#)
    }

    @Test func ownTypesKeepTheirDigits() async throws {
        struct Step: Codable, Equatable { var count: UInt64 }
        let sending = ScriptedSending(
            .answer(201, record(1, #"{"count":18446744073709551615}"#)),
            .answer(201, "[\(record(2, #"{"count":1}"#))]")
        )
        let client = client(sending)
        let created = try await client.create(encoding: Step(count: .max), at: "a/b/c")
        #expect(try created.data(as: Step.self) == Step(count: .max))
        let many = try await client.create(encodingEach: [Step(count: 1)], at: "a/b")
        #expect(many.records.map { $0?.recordID } == ["2"])
        #expect(await sending.requests.map(\.text) == [#"{"count":18446744073709551615}"#, #"[{"count":1}]"#])
        let failure = await pdaError { try await client.create(encoding: ["x": Double.nan], at: "a/b") }
        #expect(failure?.message == "'x' cannot be encoded")
    }

    /// A PDA gives another order of members and no U+0000; numbers may be written differently.
    @Test func skipErrorsTellsWhichCameBackAndNothingMore() async throws {
        let sent = try ["{\"a\":1,\"b\":[2.0]}", "3", "\"x\\u0000y\"", "3", "{\"lost\":true}"].map {
            try JSONValue(parsing: $0)
        }
        let answer = [record(1, #"{"b":[2],"a":1}"#), record(2, "3"), record(3, #""xy""#), record(4, "99")]
        let sending = ScriptedSending(.answer(201, "[\(answer.joined(separator: ","))]"))
        let created = try await client(sending).create(sent, at: "a/b", skipErrors: true)
        #expect(created.records.map { $0?.recordID } == ["1", "2", "3", nil, nil])
        #expect(created.notReturned == [3, 4])
        #expect(created.unexpected.map(\.recordID) == ["4"])
        #expect(created.answered.count == 4)
        #expect(await sending.requests.first?.url == "https://pda.example.net/api/v2.6/data/a/b?skipErrors=true")
    }

    @Test func nothingOfManyMayComeBack() async throws {
        let created = try await client(ScriptedSending(.answer(201, "[]"))).create([.null], at: "a/b", skipErrors: true)
        #expect(created.notReturned == [0])
        let broken = try await client(ScriptedSending(.answer(201, "[7]"))).create([.null], at: "a/b")
        #expect(broken.notReturned == [0])
        #expect(broken.answered.undecodable.map(\.json) == [.integer(7)])
    }

    @Test func asManyAsWereSentAreTheseInTheirOrder() async throws {
        let sending = ScriptedSending(.answer(201, "[\(record(1, "1")),\(record(2, "\"changed\""))]"))
        let created = try await client(sending).create([.integer(1), .text("as sent")], at: "a/b")
        #expect(created.records.map { $0?.recordID } == ["1", "2"])
        #expect(created.notReturned == [])
    }

    @Test func aBatchHasItsOwnEndpointsAndLinks() async throws {
        let sending = ScriptedSending(.answer(201, "[\(record(1, "1"))]"))
        let link = DataRecord(endpoint: "c/d", data: .integer(2))
        let batch = [DataRecord(endpoint: "a/b", data: .integer(1), links: [link])]
        #expect(try await client(sending).createBatch(batch).map(\.recordID) == ["1"])
        let sent = try #require(await sending.requests.first)
        #expect(sent.url == "https://pda.example.net/api/v2.6/data-batch")
        #expect(sent.text == #"[{"endpoint":"a/b","data":1,"links":[{"endpoint":"c/d","data":2}]}]"#)
    }

    @Test func whatAPDAWouldMisreadIsNeverSent() async throws {
        let sending = ScriptedSending()
        let client = client(sending)
        for endpoint in ["", "a", "a/", "/b", "A/b", "a/B", "a_b/c", "a/b c", "a/ü", "a/b?x", "a/%61", "a.b/c"] {
            var failures = [await pdaError { try await client.create(.null, at: endpoint) }]
            failures.append(await pdaError { try await client.create([.null], at: endpoint) })
            failures.append(await pdaError { _ = try await client.records(at: endpoint) })
            failures.append(await pdaError { try await client.deleteAll(at: endpoint) })
            failures.append(
                await pdaError { try await client.createBatch([DataRecord(endpoint: endpoint, data: .null)]) }
            )
            failures.append(
                await pdaError { try await client.update([DataRecord(endpoint: endpoint, recordID: "1", data: .null)]) }
            )
            #expect(failures.map(\.?.code) == Array(repeating: .invalidRequest, count: 6), "\(endpoint)")
        }
        let nested = DataRecord(
            endpoint: "a/b",
            data: .null,
            links: [DataRecord(endpoint: "a/b", data: .null, links: [DataRecord(endpoint: "a/b", data: .null)])]
        )
        #expect(await pdaError { try await client.createBatch([nested]) }?.code == .invalidRequest)
        #expect(await pdaError { try await client.createBatch([]) }?.code == .invalidRequest)
        #expect(await pdaError { try await client.create([], at: "a/b") }?.code == .invalidRequest)
        #expect(await pdaError { try await client.create(.array([]), at: "a/b") }?.code == .invalidRequest)
        #expect(await sending.requests.isEmpty)
    }
}
