import LosslessJSON
import PDAClient
import TestKit
import Testing

/// Against the sandbox, over sockets.
@Suite(.fewAtATime)
struct SandboxDataTests {
    private struct Step: Codable, Equatable {
        var day: String
        var count: Int
    }

    @Test func theWholeLifeOfRecords() async throws {
        try await Sandbox.withOwner { client, _ in
            let endpoint = "acme-steps/daily/walks"
            #expect(try await client.records(at: endpoint).isEmpty)
            let step = Step(day: "2024-05-05", count: 8123)
            let one = try await client.create(encoding: step, at: endpoint)
            #expect(one.endpoint == endpoint)
            #expect(try one.data(as: Step.self) == step)
            #expect(try await client.records(at: endpoint).map(\.data) == [one.data])
            #expect(try await client.record(try #require(one.recordID)).data == one.data)
            #expect(await pdaError { try await client.create(encoding: step, at: "other/place") }?.code == .duplicate)

            let many = try [#"{"b":1,"a":[1.0]}"#, #""x\u0000y""#, one.data.compactText, "[[]]"].map {
                try JSONValue(parsing: $0)
            }
            #expect(await pdaError { try await client.create(many, at: endpoint) }?.code == .duplicate)
            let created = try await client.create(many, at: endpoint, skipErrors: true)
            #expect(created.notReturned == [2])
            #expect(created.unexpected == [])

            var changed = one
            changed.data = .object(["day": .text("2024-05-06"), "new": .bool(true)])
            #expect(try await client.update([changed]).map(\.recordID) == [one.recordID])
            #expect(try await client.record(try #require(one.recordID)).data == changed.data)

            let batch = try await client.createBatch([
                DataRecord(endpoint: "a/b", data: .integer(1), links: [DataRecord(endpoint: "a/c", data: .integer(2))])
            ])
            #expect(batch.first?.links?.map(\.data) == [.integer(2)])
            let sources = try await client.sources()
            #expect(sources["acme-steps"] == ["daily/walks"])
            #expect(Set(sources["a"] ?? []) == ["b", "c"])

            try await client.delete(records: [try #require(one.recordID)])
            #expect(await pdaError { _ = try await client.record(one.recordID ?? "") }?.code == .notFound)
            #expect(await pdaError { try await client.delete(records: [one.recordID ?? ""]) }?.code == .refused)
            try await client.deleteAll(at: endpoint)
            #expect(try await client.records(at: endpoint).isEmpty)
        }
    }

    @Test func pagesOfRecordsThatShareValues() async throws {
        try await Sandbox.withOwner { client, _ in
            let values = (0..<230).map { JSONValue.object(["n": .integer($0), "group": .integer($0 % 3)]) }
            try await client.create(values, at: "acme/many")
            for field in ["n", "group", "no.such.field"] {
                let all = try await client.allRecords(at: "acme/many", orderedBy: field, pageSize: 50).all()
                #expect(Set(all.map(\.data)) == Set(values))
                #expect(all.count == values.count)
            }
            let query = DataQuery(orderBy: "n", ordering: .descending, skip: 1, take: 2)
            #expect(
                try await client.records(at: "acme/many", query).map { $0.data["n"] } == [.integer(228), .integer(227)]
            )
        }
    }

    @Test func logInVerifyAndRefresh() async throws {
        try await Sandbox.withOwner { client, transport in
            let tokens = InMemoryTokens()
            let other = PDA(client.origin, tokens: tokens, transport: transport)
            #expect(try await !other.validateToken())
            let owner = try await other.logIn(username: "bob", password: Sandbox.password)
            #expect(try await other.validateToken())
            let claims = try await other.verify(owner.token)
            #expect(claims.scope == "owner")
            let plug = try await other.applicationToken("acme-steps")
            #expect(try await other.verify(plug, application: "acme-steps").application == "acme-steps")
            let failure = await pdaError { _ = try await other.verify(plug, application: "acme-diary") }
            #expect(failure?.message == "the token is for another application")
            let wrong = await pdaError { try await other.logIn(username: "bob", password: Secret("wrong")) }
            #expect(wrong?.code == .notAuthenticated)
            let page = await other.request(PDARequest("/api/v2.6/data/Upper/case"))
            guard case .failure(let error, 200, nil) = page else {
                Issue.record("\(page)")
                return
            }
            #expect(error.code == .html)
        }
    }
}
