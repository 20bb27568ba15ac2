import LosslessJSON
import PDAWire
import TestKit
import Testing

@testable import PDASandbox

/// Batches, deletions and updates, beyond what the conformance lines say.
@Suite(.fewAtATime)
struct BatchTests {
    @Test(arguments: [
        (#"[{"data":1}]"#, #"{"obj[0].endpoint":[{"msg":["error.path.missing"],"args":[]}]}"#),
        (#"[{"endpoint":"A/b","data":1}]"#, #"{"obj[0].endpoint":[{"msg":["Endpoint invalid"],"args":[]}]}"#),
        (#"{}"#, #"{"obj":[{"msg":["error.expected.jsarray"],"args":[]}]}"#),
    ]) func aWrongShapeIsNamedByItsPath(body: String, message: String) async throws {
        try await RunningSandbox.with { sandbox in
            let reply = try await sandbox.send("POST", PDARoute.dataBatch, body, token: sandbox.owner)
            #expect(reply.status == 400)
            #expect(reply.text == #"{"error":"Bad Request","message":\#(message)}"#)
            #expect(reply.token == nil)
        }
    }

    @Test func anEmptyBatchFailsAsThereIsNothingToReduce() async throws {
        try await RunningSandbox.with { sandbox in
            let reply = try await sandbox.send("POST", PDARoute.dataBatch, "[]", token: sandbox.owner)
            #expect(reply.status == 500)
            #expect(reply.json?["error"]?.stringText == "Internal Server error")
            #expect(reply.token == nil)
        }
    }

    @Test func deletingByIDIsAllOrNothing() async throws {
        try await RunningSandbox.with { sandbox in
            let stored = try await sandbox.post("a/b", "[1,2,3]").json?.elements ?? []
            let ids = stored.compactMap { $0["recordId"]?.stringText }
            let wrong = try await sandbox.delete(
                "/api/v2.6/data?records=\(ids[0])&records=\(UUIDText.random())",
                token: sandbox.owner
            )
            #expect(wrong.status == 400)
            #expect(failure(wrong)?.cause == PDACause.deleteMissing)
            #expect(try await sandbox.getData("a/b").count == 3)
            let right = try await sandbox.delete("/api/v2.6/data?records=\(ids[0])", token: sandbox.owner)
            #expect(right.text == #"{"message":"All records deleted"}"#)
            #expect(try await sandbox.getData("a/b").count == 2)
            let text = try await sandbox.delete("/api/v2.6/data?records=x", token: sandbox.owner)
            #expect(
                text.text
                    == #"{"error":"Bad Request","message":"Cannot parse parameter records as UUID: Invalid UUID string: x"}"#
            )
        }
    }

    @Test func updatingIsAllOrNothingToo() async throws {
        try await RunningSandbox.with { sandbox in
            let stored = try await sandbox.post("a/b", "[1,2]").json?.elements ?? []
            let ids = stored.compactMap { $0["recordId"]?.stringText }
            func put(_ records: String) async throws -> Reply {
                try await sandbox.send("PUT", PDARoute.records, "[\(records)]", token: sandbox.owner)
            }
            func change(_ id: String, _ data: String) -> String {
                #"{"endpoint":"a/b","recordId":"\#(id)","data":\#(data)}"#
            }
            let changed = try await put(change(ids[0], #"{"bb":1,"a":2}"#))
            #expect(changed.status == 201)
            #expect(changed.text == "[" + change(ids[0], #"{"bb":1,"a":2}"#) + "]")
            let missing = try await put(change(ids[0], "7") + "," + change(UUIDText.random(), "8"))
            #expect(failure(missing) == PDAFailure(.application, title: "Data Missing", cause: PDACause.updateMissing))
            #expect(try await put(#"{"endpoint":"a/b","data":9}"#).status == 400)
            let values = try await sandbox.getData("a/b?orderBy=").map { $0["data"]?.compactText }
            #expect(values == ["2", #"{"a":2,"bb":1}"#])
            #expect(try await put(change(ids[0], "2")).status == 500)
            #expect(try await put(change(ids[1], "2")).status == 201)
        }
    }
}
