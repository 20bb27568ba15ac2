import LosslessJSON
import PDAWire
import PlugCore
import TestKit
import Testing

@testable import PDASandbox

/// Lines 58 to 60 of the conformance list: data debits, and the system's own routes.
@Suite(.fewAtATime)
struct DebitConformance {
    private func debit(
        _ bundle: String = "mine",
        conditions: String? = nil,
        start: String = #""2023-11-14T00:00:00.000Z""#
    )
        -> String
    {
        DebitRequest.json(bundle: bundle, conditions: conditions, start: start)
    }

    @Test func line58ADataDebitIsProposed() async throws {
        try await RunningSandbox.with { sandbox in
            let path = PDARoute.dataDebit("first")
            let created = try await sandbox.send("POST", path, debit(), token: sandbox.owner)
            #expect(created.status == 201)
            #expect(created.json?["dataDebitKey"]?.stringText == "first")
            #expect(created.json?["dateCreated"]?.stringText == "2023-11-14T22:13:20+0000")
            #expect(created.json?["active"]?.bool == false)
            #expect(created.json?["accepted"]?.bool == false)
            #expect(created.json?["start"] == created.json?["permissionsLatest"]?["start"])
            #expect(created.json?["permissionsActive"]?.isNull == true)
            #expect(created.json?["permissions"]?.elements?.count == 1)
            func refusal(_ method: String, _ path: String, _ body: String) async throws -> String? {
                let reply = try await sandbox.send(method, path, body, token: sandbox.owner)
                #expect(reply.status == 400)
                #expect(failure(reply)?.title == "Bad Request")
                return failure(reply)?.cause
            }
            let words = "Data Debit request malformed: "
            #expect(try await refusal("POST", path, debit("b2")) == words + "Data Debit with such ID already exists")
            let second = PDARoute.dataDebit("second")
            #expect(try await refusal("POST", second, debit()) == words + "Data bundle with such ID already exists")
            #expect(try await refusal("PUT", second, debit()) == words + "Data Debit being updated does not exist")
            #expect(try await sandbox.send("POST", second, debit("other"), token: sandbox.owner).status == 201)
            #expect(
                try await refusal("PUT", second, debit())
                    == words + "Bundle mine already linked and could not be reassigned to a different data debit"
            )
            let updated = try await sandbox.send("PUT", path, debit("newer"), token: sandbox.owner)
            #expect(updated.status == 200)
            #expect(updated.json?["permissions"]?.elements?.count == 2)
            #expect(updated.json?["active"]?.bool == false)
            #expect(updated.json?["permissionsLatest"]?["bundle"]?["name"]?.stringText == "newer")
            #expect(try await sandbox.get(PDARoute.dataDebits, token: sandbox.owner).json?.elements?.count == 2)
        }
    }

    @Test func line59ValuesAreForAnActiveDataDebit() async throws {
        try await RunningSandbox.with { sandbox in
            _ = try await sandbox.post("a/b", #"[{"n":1},{"n":2}]"#)
            let path = PDARoute.dataDebit("first")
            let values = PDARoute.dataDebitValues("first")
            let unknown = try await sandbox.get(values, token: sandbox.owner)
            #expect(unknown.status == 404)
            #expect(unknown.text == #"{"message":"Not Found","cause":"Data Debit first not found"}"#)
            _ = try await sandbox.send("POST", path, debit(), token: sandbox.owner)
            let early = try await sandbox.get(values, token: sandbox.owner)
            #expect(early.status == 400)
            #expect(early.text == #"{"message":"Bad Request","cause":"Data Debit first not enabled"}"#)
            let enabled = try await sandbox.get(PDARoute.enableDataDebit("first"), token: sandbox.owner)
            #expect(enabled.status == 200)
            #expect(enabled.json?["active"]?.bool == true)
            let given = try await sandbox.get(values, token: sandbox.owner)
            #expect(given.status == 200)
            #expect(given.json?.object?.keys == ["bundle"])
            #expect(
                given.json?["bundle"]?["p"]?.elements?.map { $0["data"]?.compactText } == [#"{"n":1}"#, #"{"n":2}"#]
            )
            // A condition that holds, and one that does not.
            for (endpoint, holds) in [("a/b", true), ("a/none", false)] {
                let key = holds ? "fulfilled" : "failing"
                let conditions = #"{"name":"c-\#(key)","bundle":{"some":{"endpoints":[{"endpoint":"\#(endpoint)"}]}}}"#
                let body = debit("b-\(key)", conditions: conditions)
                #expect(
                    try await sandbox.send("POST", PDARoute.dataDebit(key), body, token: sandbox.owner).status == 201
                )
                _ = try await sandbox.get(PDARoute.enableDataDebit(key), token: sandbox.owner)
                let reply = try await sandbox.get(PDARoute.dataDebitValues(key), token: sandbox.owner)
                #expect(reply.status == 200)
                #expect(reply.json?["conditions"]?.compactText == #"{"some":\#(holds)}"#)
                #expect(reply.json?["bundle"]?.object?.count == (holds ? 1 : 0))
            }
            let off = PDARoute.disableDataDebit("first", atPeriodEnd: false)
            let disabled = try await sandbox.get(off, token: sandbox.owner)
            #expect(disabled.status == 200)
            #expect(disabled.json?["permissionsActive"]?.isNull == true)
            #expect(disabled.json?["active"]?.bool == false)
            #expect(try await sandbox.get(values, token: sandbox.owner).status == 400)
        }
    }

    @Test func line60TheSystemSaysHowItIs() async throws {
        try await RunningSandbox.with { sandbox in
            func status() async throws -> [JSONValue] {
                let reply = try await sandbox.get("/api/v2.6/system/status", token: sandbox.owner)
                #expect(reply.status == 200)
                return reply.json?.elements ?? []
            }
            let first = try await status()
            #expect(
                first.map { $0["title"]?.stringText } == [
                    "Previous Login", "Owner Email", "Database Storage", "File Storage", "Database Storage Used",
                    "File Storage Used", "Database Storage Used Share", "File Storage Used Share",
                ]
            )
            #expect(first[0]["kind"]?.compactText == #"{"metric":"Never","kind":"Text"}"#)
            #expect(first[1]["kind"]?["metric"]?.stringText == "bob@example.org")
            #expect(first.dropFirst(2).allSatisfy { $0["kind"]?["metric"]?.number != nil })
            let credentials = [("username", "bob"), ("password", PercentEncoding.segment(RunningSandbox.password))]
            for _ in 0..<2 {
                #expect(try await sandbox.get("/users/access_token", headers: credentials).status == 200)
                sandbox.clock.advance(seconds: 7200)
            }
            #expect(try await status()[0]["kind"]?["metric"]?.stringText == "4 hours ago")
            for path in ["/system/update", "/api/v2.6/system/update"] {
                #expect(try await sandbox.get(path).text == #"{"message":"Database updated"}"#)
            }
            #expect(try await sandbox.get("/healthz").text == #"{"Status":"OK"}"#)
            #expect(try await sandbox.get("/api/v2.6/version").text == #"{"Version":"v2.8.18"}"#)
        }
    }
}

/// Bodies that propose data debits.
enum DebitRequest {
    static func json(
        bundle: String = "mine",
        conditions: String? = nil,
        start: String = #""2023-11-14T00:00:00.000Z""#,
        period: String = "86400000",
        cancels: Bool = false,
        endpoint: String = "a/b",
        client: String = "https://client.example.org"
    ) -> String {
        """
        {"dataDebitKey":"ignored","purpose":"To know","start":\(start),"period":\(period),"cancelAtPeriodEnd":\(cancels),
         "requestClientName":"Client","requestClientUrl":"\(client)","requestClientLogoUrl":"",
         "termsUrl":"https://client.example.org/terms"\(conditions.map { ",\"conditions\":\($0)" } ?? ""),
         "bundle":{"name":"\(bundle)","bundle":{"p":{"endpoints":[{"endpoint":"\(endpoint)"}]}}}}
        """
    }
}
