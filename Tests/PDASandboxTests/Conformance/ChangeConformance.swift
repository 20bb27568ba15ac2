import LosslessJSON
import PDAWire
import PlugCore
import TestKit
import Testing

@testable import PDASandbox

/// Lines 16 to 27 of the conformance list: batches, changes, deletions.
@Suite(.fewAtATime)
struct ChangeConformance {
    private func batch(_ sandbox: RunningSandbox, _ json: String, token: String? = nil) async throws -> Reply {
        try await sandbox.send("POST", PDARoute.dataBatch, json, token: token ?? sandbox.owner)
    }

    @Test func line16ABatchSpansEndpoints() async throws {
        try await RunningSandbox.with { sandbox in
            let reply = try await batch(
                sandbox,
                #"[{"endpoint":"test/test","data":\#(Three.d1)},{"endpoint":"test2/test2","data":\#(Three.d2)},{"endpoint":"test/test","data":\#(Three.d3)}]"#
            )
            #expect(reply.status == 201)
            #expect(
                reply.json?.elements?.map { $0["endpoint"]?.stringText } == ["test/test", "test2/test2", "test/test"]
            )
            #expect(reply.json?.elements?.map { $0["links"]?.elements?.count } == [0, 0, 0])
            #expect(try await sandbox.numbers("test/test") == [1, 3])
            #expect(try await sandbox.numbers("test2/test2") == [2])
        }
    }

    @Test func line17ABatchOfAUserWithoutNamespacesIsForbidden() async throws {
        try await RunningSandbox.with { sandbox in
            let user = try await sandbox.user("carol", Role("datacredit", ""))
            let token = try sandbox.token(of: user, scope: "datacredit")
            let reply = try await batch(sandbox, #"[{"endpoint":"test/test","data":1}]"#, token: token)
            #expect(reply.status == 403)
            #expect(failure(reply)?.cause == PDACause.batchForbidden)
            #expect(try await sandbox.getData("test/test").isEmpty)
            // With the namespace it may.
            let writer = try await sandbox.user("dave", Role("datacredit", ""), .write("test"))
            let second = try await batch(
                sandbox,
                #"[{"endpoint":"test/test","data":1}]"#,
                token: sandbox.token(of: writer, scope: "namespacewrite")
            )
            #expect(second.status == 201)
        }
    }

    @Test func line18ABatchWithTheSameDataTwiceIsRefused() async throws {
        try await RunningSandbox.with { sandbox in
            let reply = try await batch(
                sandbox,
                #"[{"endpoint":"test/test","data":\#(Three.d1)},{"endpoint":"test/b","data":\#(Three.d1)}]"#
            )
            #expect(reply.status == 400)
            #expect(reply.text == #"{"message":"Bad Request","cause":"Could not insert data - Duplicate data"}"#)
            #expect(try await sandbox.getData("test/test").isEmpty)
        }
    }

    @Test func line19ABatchNamesADuplicateInItsOwnWords() async throws {
        try await RunningSandbox.with { sandbox in
            _ = try await sandbox.post("test/test", Three.d1)
            let reply = try await batch(sandbox, #"[{"endpoint":"test/b","data":\#(Three.d1)}]"#)
            #expect(
                reply.text == #"{"message":"Bad Request","cause":"Could not insert data - Duplicate data"}"#
            )
        }
    }

    @Test func line20ABatchKeepsLinks() async throws {
        try await RunningSandbox.with { sandbox in
            let reply = try await batch(
                sandbox,
                #"[{"endpoint":"test/main","data":\#(Three.d1),"links":[{"endpoint":"test/linked","data":\#(Three.d2)}]}]"#
            )
            #expect(reply.status == 201)
            let links = reply.json?.elements?.first?["links"]?.elements
            #expect(links?.count == 1)
            #expect(links?.first?["data"] == (try JSONValue(parsing: Three.d2)))
            #expect(links?.first?["endpoint"]?.stringText == "test/linked")
            #expect(links?.first?["links"] == nil)
        }
    }

    @Test func line21DeletingOneOfThreeLeavesTwo() async throws {
        try await RunningSandbox.with { sandbox in
            let records = try await sandbox.post("test/test", Three.all).json?.elements ?? []
            let id = try #require(records.first?["recordId"]?.stringText)
            let reply = try await sandbox.delete("/api/v2.6/data?records=\(id)", token: sandbox.owner)
            #expect(reply.status == 200)
            #expect(try await sandbox.numbers("test/test") == [2, 3])
        }
    }

    @Test func line22DeletingWithAnUnknownIDDeletesNothing() async throws {
        try await RunningSandbox.with { sandbox in
            let records = try await sandbox.post("test/test", Three.all).json?.elements ?? []
            let id = try #require(records.first?["recordId"]?.stringText)
            let path = "/api/v2.6/data?records=\(id)&records=\(UUIDText.random())"
            let reply = try await sandbox.delete(path, token: sandbox.owner)
            #expect(reply.status == 400)
            #expect(
                failure(reply) == PDAFailure(.application, title: "Data Missing", cause: PDACause.deleteMissing)
            )
            #expect(try await sandbox.numbers("test/test") == [1, 2, 3])
        }
    }

    @Test func line23OnlyWhoseARecordIsMayChangeIt() async throws {
        try await RunningSandbox.with { sandbox in
            let id = try await sandbox.store("test/test", Three.d1)
            let user = try await sandbox.user("carol", Role("datacredit", ""), .write("test"), .read("test"))
            let token = try sandbox.token(of: user, scope: "namespacewrite")
            let deletion = try await sandbox.delete("/api/v2.6/data?records=\(id)", token: token)
            #expect(failure(deletion)?.cause == PDACause.deleteMissing)
            let change = try await sandbox.put(
                #"[{"endpoint":"test/test","recordId":"\#(id)","data":9}]"#,
                token: token
            )
            #expect(failure(change)?.cause == PDACause.updateMissing)
            #expect(try await sandbox.get(PDARoute.record(id), token: token).status == 400)
            #expect(try await sandbox.numbers("test/test") == [1])
            // Reading an endpoint shows everybody's records.
            #expect(try await sandbox.get("/api/v2.6/data/test/test", token: token).json?.elements?.count == 1)
        }
    }

    @Test func line24AnUpdateReplacesData() async throws {
        try await RunningSandbox.with { sandbox in
            let id = try await sandbox.store("test/test", Three.d1)
            _ = try await sandbox.store("test/test", Three.d2)
            let reply = try await sandbox.put(#"[{"endpoint":"test/test","recordId":"\#(id)","data":{"n":7}}]"#)
            #expect(reply.status == 201)
            #expect(try await sandbox.numbers("test/test").sorted() == [2, 7])
        }
    }

    @Test func line25AnUpdateWithoutAnIDChangesNothing() async throws {
        try await RunningSandbox.with { sandbox in
            let id = try await sandbox.store("test/test", Three.d1)
            let reply = try await sandbox.put(
                #"[{"endpoint":"test/test","recordId":"\#(id)","data":{"n":7}},{"endpoint":"test/test","data":{"n":8}}]"#
            )
            #expect(reply.status == 400)
            #expect(try await sandbox.numbers("test/test") == [1])
        }
    }

    @Test func line26AnUpdateIsA201AndAnUnknownIDDataMissing() async throws {
        try await RunningSandbox.with { sandbox in
            let id = try await sandbox.store("test/test", Three.d1)
            let same = try await sandbox.put(#"[{"endpoint":"test/test","recordId":"\#(id)","data":\#(Three.d1)}]"#)
            #expect(same.status == 201)
            // The request's own JSON, without links.
            #expect(same.text == #"[{"endpoint":"test/test","recordId":"\#(id)","data":\#(Three.d1)}]"#)
            let unknown = try await sandbox.put(
                #"[{"endpoint":"test/test","recordId":"\#(UUIDText.random())","data":1}]"#
            )
            #expect(unknown.status == 400)
            #expect(failure(unknown) == PDAFailure(.application, title: "Data Missing", cause: PDACause.updateMissing))
        }
    }

    @Test func line27AWriteOnlyPlugWritesItsNamespaceAndReadsNothing() async throws {
        try await RunningSandbox.with(applications: [try Definition.plug("steps")]) { sandbox in
            _ = try await sandbox.get(PDARoute.setUp("steps"), token: sandbox.owner)
            let token = try await sandbox.applicationToken("steps")
            #expect(try await sandbox.send("POST", "/api/v2.6/data/steps/a", "1", token: token).status == 201)
            let read = try await sandbox.get("/api/v2.6/data/steps/a", token: token)
            #expect(read.status == 403)
            #expect(read.text == #"{"error":"Forbidden","message":"Access Denied"}"#)
            #expect(try await sandbox.send("POST", "/api/v2.6/data/other/a", "2", token: token).status == 403)
        }
    }
}
