import HTTPTransport
import LosslessJSON
import PDAClient
import PlugCore
import Testing

struct ChangingTests {
    private func client(_ sending: ScriptedSending) -> PDAClient {
        PDAClient(pda: "https://pda.example.net/", tokens: InMemoryTokens(Secret("T0")), transport: sending)
    }

    @Test func s13S14AnUpdateIsAnArrayEvenForOneRecord() async throws {
        let text = #"[{"endpoint":"a/b","recordId":"R","data":{"n":1.10}}]"#
        let sending = ScriptedSending(.answer(201, text))
        let records = try #require(JSONValue(parsing: text).elements)
        let changed = try await client(sending).update(records)
        #expect(changed.map(\.compactText) == records.map(\.compactText))
        let sent = try #require(await sending.requests.first)
        #expect(sent.method == "PUT")
        #expect(sent.url == "https://pda.example.net/api/v2.6/data")
        #expect(sent.body == Array(text.utf8))
    }

    @Test func s15S16S17DeletingNamesEachRecordInTheQuery() async throws {
        let done = #"{"message":"All records deleted"}"#
        let sending = ScriptedSending(.answer(200, done), .answer(200, done))
        try await client(sending).delete(records: ["A", "B"])
        let path = try #require(DataPath(namespace: "a", endpoint: "b/c"))
        try await client(sending).deleteAll(at: path)
        let base = "https://pda.example.net/api/v2.6/data"
        let sent = await sending.requests
        #expect(sent.map(\.url) == ["\(base)?records=A&records=B", "\(base)/a/b/c"])
        #expect(sent.map(\.method) == ["DELETE", "DELETE"])
    }

    @Test func emptyListsAreRefusedUnsent() async throws {
        let sending = ScriptedSending()
        let client = client(sending)
        await #expect(throws: PDAError.self) { try await client.delete(records: []) }
        await #expect(throws: PDAError.self) { _ = try await client.update([]) }
        #expect(await sending.requests.isEmpty)
    }
}
