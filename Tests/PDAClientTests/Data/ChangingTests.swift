import CurlTransport
import LosslessJSON
import PDAClient
import PlugCore
import Testing

struct ChangingTests {
    private static let done = #"{"message":"All records deleted"}"#

    private func client(_ sending: ScriptedSending) -> PDA {
        PDA("https://pda.example.net/", tokens: InMemoryTokens(Secret("T0")), transport: sending)
    }

    @Test func anUpdateIsAnArrayEvenForOneRecord() async throws {
        let text = #"{"endpoint":"a/b","recordId":"R","data":{"n":1.10},"own":[1]}"#
        let sending = ScriptedSending(.answer(201, "[\(text)]"), .answer(201, text), .answer(201, "[\(text)]"))
        let client = client(sending)
        let value = try JSONValue(parsing: text)
        for _ in 0..<2 {
            let changed = try await client.update([try DataRecord(json: value)])
            #expect(changed.map(\.json.compactText) == [text])
        }
        #expect(try await client.update([value]).map(\.compactText) == [text])
        for sent in await sending.requests {
            #expect(sent.method == "PUT")
            #expect(sent.url == "https://pda.example.net/api/v2.6/data")
            #expect(sent.text == "[\(text)]")
        }
    }

    @Test func deletingNamesEachRecordInTheQuery() async throws {
        let sending = ScriptedSending(.answer(200, Self.done), .answer(200, Self.done), .answer(200, Self.done))
        try await client(sending).delete(records: ["A", "B"])
        let path = try #require(DataPath(namespace: "a", endpoint: "b/c"))
        try await client(sending).deleteAll(at: path)
        try await client(sending).deleteAll(at: "a/b/c")
        let base = "https://pda.example.net/api/v2.6/data"
        let sent = await sending.requests
        #expect(sent.map(\.url) == ["\(base)?records=A&records=B", "\(base)/a/b/c", "\(base)/a/b/c"])
        #expect(sent.map(\.method) == ["DELETE", "DELETE", "DELETE"])
    }

    @Test func linkingIsAPostWithTheIdsInTheQuery() async throws {
        let sending = ScriptedSending(.answer(201, #"{"message":"Grouping registered"}"#))
        try await client(sending).link(records: ["A", "B"])
        let sent = try #require(await sending.requests.first)
        #expect("\(sent.method) \(sent.url)" == "POST https://pda.example.net/api/v2.6/data-link?records=A&records=B")
        #expect(sent.body == nil)
    }

    @Test func emptyListsAndIncompleteRecordsAreRefusedUnsent() async throws {
        let sending = ScriptedSending()
        let client = client(sending)
        for ids in [[], [""], ["A", "a"], (0...40).map(String.init), [String(repeating: "x", count: 2000)]] {
            #expect(await pdaError { try await client.delete(records: ids) }?.code == .invalidRequest)
            #expect(await pdaError { try await client.link(records: ids) }?.code == .invalidRequest)
        }
        #expect(await client.deleteInParts(records: []).error?.code == .invalidRequest)
        let twice = (0..<50).map(String.init) + ["7"]
        let part = await client.deleteInParts(records: twice)
        #expect(part.remaining == twice)
        #expect(part.error?.message == "a record id appears twice")
        #expect(await pdaError { _ = try await client.update([DataRecord]()) }?.code == .invalidRequest)
        #expect(await pdaError { _ = try await client.update([JSONValue]()) }?.code == .invalidRequest)
        let unnamed = await pdaError { try await client.update([DataRecord(endpoint: "a/b", data: .null)]) }
        #expect(unnamed?.message == "'[0].recordId' is missing")
        #expect(await pdaError { _ = try await client.record("") }?.code == .invalidRequest)
        #expect(await sending.requests.isEmpty)
    }

    @Test func fortyIdsFitAndMoreGoInParts() async throws {
        let ids = (0..<100).map { "6f1d0c3e-3c43-4c0b-9a56-0000000\(10000 + $0)" }
        let sending = ScriptedSending(
            .answer(200, Self.done),
            .answer(200, Self.done),
            .failure(HTTPError(.timedOut, "slow", mayHaveArrived: true))
        )
        let part = await client(sending).deleteInParts(records: ids)
        #expect(part.deleted == Array(ids[..<80]))
        #expect(part.remaining == Array(ids[80...]))
        #expect(part.error?.mayHaveArrived == true)
        let urls = await sending.requests.map(\.url)
        #expect(urls.map { $0.split(separator: "records=").count - 1 } == [40, 40, 20])
        #expect(urls.allSatisfy { $0.utf8.count < 2048 })
    }

    @Test func aChangeWhoseAnswerCannotBeReadMayBeDone() async throws {
        let page = Result<HTTPResponse, HTTPError>.answer(200, "<html>", ["Content-Type": "text/html"])
        let record = DataRecord(endpoint: "a/b", recordID: "1", data: .null)
        for answer in [page, .answer(201, "nonsense"), .answer(201, "{}"), .answer(500, "{}")] {
            #expect(await pdaError { try await client(ScriptedSending(answer)).update([record]) }?.remedy == .lookFirst)
            #expect(
                await pdaError { try await client(ScriptedSending(answer)).create(.null, at: "a/b") }?.mayHaveArrived
                    == true
            )
            #expect(
                await pdaError { _ = try await client(ScriptedSending(answer)).records(at: "a/b") }?.mayHaveArrived
                    == false
            )
        }
        for answer in [page, .answer(200, "nonsense"), .answer(502, "")] {
            let deleted = await pdaError { try await client(ScriptedSending(answer)).delete(records: ["1"]) }
            #expect(deleted?.mayHaveArrived == true)
            // A GET that changes something.
            let enabled = await pdaError { _ = try await client(ScriptedSending(answer)).enableDataDebit("k") }
            #expect(enabled?.mayHaveArrived == true)
        }
        let refused = await pdaError { try await client(ScriptedSending(.answer(400, "{}"))).update([record]) }
        #expect(refused?.mayHaveArrived == false)
    }
}
