import LosslessJSON
import PDAWire
import PlugCore
import TestKit
import Testing

@testable import PDASandbox

/// Lines 1 to 15 of the conformance list: records of an endpoint.
@Suite(.fewAtATime)
struct DataConformance {
    @Test func line01NothingStoredIsAnEmptyList() async throws {
        try await RunningSandbox.with { sandbox in
            let reply = try await sandbox.get("/api/v2.6/data/test/endpoint", token: sandbox.owner)
            #expect(reply.status == 200)
            #expect(reply.text == "[]")
        }
    }

    @Test func line02AMissingFieldSortsLast() async throws {
        try await RunningSandbox.with { sandbox in
            _ = try await sandbox.post("test/endpoint", "[\(Three.d3),\(Three.d2),\(Three.d1)]")
            #expect(try await sandbox.numbers("test/endpoint?orderBy=field&take=2") == [1, 2])
            #expect(try await sandbox.numbers("test/endpoint?orderBy=field") == [1, 2, 3])
            #expect(try await sandbox.numbers("test/endpoint?take=0") == [])
            #expect(try await sandbox.numbers("test/endpoint?take=") == [3, 2, 1])
        }
    }

    @Test func line03AMissingFieldSortsLastDescendingToo() async throws {
        try await RunningSandbox.with { sandbox in
            _ = try await sandbox.post("test/endpoint", Three.all)
            let path = "test/endpoint?orderBy=field&ordering=descending"
            #expect(try await sandbox.numbers(path) == [2, 1, 3])
            #expect(try await sandbox.numbers("\(path)&skip=1&take=2") == [1, 3])
            // Only the exact word turns the order round.
            #expect(try await sandbox.numbers("test/endpoint?orderBy=field&ordering=DESC") == [1, 2, 3])
        }
    }

    @Test func line04AnObjectIsOneRecord() async throws {
        try await RunningSandbox.with { sandbox in
            #expect(try await sandbox.post("test/endpoint", Three.d1).status == 201)
            let records = try await sandbox.getData("test/endpoint")
            #expect(records.map { $0["data"] } == [try JSONValue(parsing: Three.d1)])
        }
    }

    @Test func line05AnArrayIsManyRecords() async throws {
        try await RunningSandbox.with { sandbox in
            let reply = try await sandbox.post("test/endpoint", "[\(Three.d1),\(Three.d2)]")
            #expect(reply.status == 201)
            #expect(reply.json?.elements?.map { $0["data"]?.compactText } == Three.stored)
            #expect(try await sandbox.getData("test/endpoint").count == 2)
            let empty = try await sandbox.post("test/endpoint", "[]")
            #expect(empty.status == 201)
            #expect(empty.text == "[]")
        }
    }

    @Test func line06ADuplicateInAnArraySavesNothing() async throws {
        try await RunningSandbox.with { sandbox in
            let reply = try await sandbox.post("test/endpoint", "[\(Three.d1),\(Three.d1),\(Three.d2)]")
            #expect(reply.status == 400)
            #expect(reply.text == #"{"message":"Bad Request","cause":"Duplicate data - Duplicate data"}"#)
            #expect(reply.token != nil)
            #expect(try await sandbox.getData("test/endpoint").isEmpty)
        }
    }

    @Test func line07SkippingErrorsSavesTheRest() async throws {
        try await RunningSandbox.with { sandbox in
            let reply = try await sandbox.post("test/endpoint?skipErrors=true", "[\(Three.d1),\(Three.d1),\(Three.d2)]")
            #expect(reply.status == 201)
            #expect(reply.json?.elements?.map { $0["data"]?.compactText } == Three.stored)
            #expect(try await sandbox.getData("test/endpoint").count == 2)
        }
    }

    @Test func line08SkippingEverythingIsAnEmptyList() async throws {
        try await RunningSandbox.with { sandbox in
            _ = try await sandbox.post("test/endpoint", "[\(Three.d1),\(Three.d2)]")
            let reply = try await sandbox.post("test/endpoint?skipErrors=true", "[\(Three.d1),\(Three.d2)]")
            #expect(reply.status == 201)
            #expect(reply.text == "[]")
            // Ignored for a single value.
            #expect(try await sandbox.post("test/endpoint?skipErrors=1", Three.d1).status == 400)
        }
    }

    @Test func line09DuplicatesAreSoughtInTheWholeAccount() async throws {
        try await RunningSandbox.with { sandbox in
            #expect(try await sandbox.post("test/a", Three.d1).status == 201)
            let reply = try await sandbox.post("other/b", Three.d1)
            #expect(reply.status == 400)
            #expect(failure(reply)?.cause == PDACause.duplicate)
            // Deleted data is no duplicate.
            _ = try await sandbox.delete("/api/v2.6/data/test/a", token: sandbox.owner)
            #expect(try await sandbox.post("other/b", Three.d1).status == 201)
        }
    }

    @Test func line10KeyOrderCountsAndTrailingZerosDoNot() async throws {
        try await RunningSandbox.with { sandbox in
            for new in [#"{"a":2,"b":1}"#, #"{"b":1,"a":2}"#] {
                let reply = try await sandbox.post("test/a", new)
                #expect(reply.status == 201, "\(new)")
            }
            for same in [#"{"a":2.0,"b":1}"#, #"{ "a" : 2e0, "b" : 1 }"#, #"{"\u0061":20e-1,"b":0,"b":1.00}"#] {
                let reply = try await sandbox.post("test/a", same)
                #expect(failure(reply)?.cause == PDACause.duplicate, "\(same)")
            }
        }
    }

    @Test func line11ASingleValueComesBackAsAnObjectWithLinks() async throws {
        try await RunningSandbox.with { sandbox in
            let reply = try await sandbox.post("test/a", Three.d1)
            #expect(reply.status == 201)
            #expect(reply.json?.object?.keys == ["endpoint", "recordId", "data", "links"])
            #expect(reply.json?["endpoint"]?.stringText == "test/a")
            #expect(reply.json?["links"]?.elements?.isEmpty == true)
            #expect(UUIDText.isValid(reply.json?["recordId"]?.stringText ?? ""))
            #expect(reply.json?["data"]?.compactText == #"{"n":1,"field":"value"}"#)
        }
    }

    @Test func line12ARecordIsFoundByItsID() async throws {
        try await RunningSandbox.with { sandbox in
            let id = try await sandbox.store("test/a", Three.d1)
            let reply = try await sandbox.get(PDARoute.record(id), token: sandbox.owner)
            #expect(reply.status == 200)
            #expect(reply.text == #"{"endpoint":"test/a","recordId":"\#(id)","data":{"n":1,"field":"value"}}"#)
            let nobody = try await sandbox.get(PDARoute.record(id))
            #expect(nobody.status == 403)
            #expect(nobody.body.isEmpty)
            #expect(nobody.token == nil)
        }
    }

    @Test func line13AnUnknownIDIsDataMissing() async throws {
        try await RunningSandbox.with { sandbox in
            let reply = try await sandbox.get(PDARoute.record(UUIDText.random()), token: sandbox.owner)
            #expect(reply.status == 400)
            #expect(
                reply.text
                    == #"{"message":"Data Missing","cause":"Could not find unique record: No single record found for provided ID"}"#
            )
        }
    }

    @Test func line14SourcesAreEndpointsByNamespace() async throws {
        try await RunningSandbox.with { sandbox in
            _ = try await sandbox.post("test/test", Three.d1)
            _ = try await sandbox.post("test2/test2", Three.d2)
            _ = try await sandbox.post("test/test3", Three.d3)
            let sources = try await sandbox.get(PDARoute.sources, token: sandbox.owner)
            #expect(sources.text == #"{"test":["test","test3"],"test2":["test2"]}"#)
        }
    }

    @Test func line15DeletingAnEndpointLeavesTheOthers() async throws {
        try await RunningSandbox.with { sandbox in
            _ = try await sandbox.post("test/test", Three.d1)
            _ = try await sandbox.post("test/test3", Three.d2)
            _ = try await sandbox.post("test/test/", Three.d3)
            let reply = try await sandbox.delete("/api/v2.6/data/test/test", token: sandbox.owner)
            #expect(reply.status == 200)
            #expect(reply.text == #"{"message":"All records deleted"}"#)
            #expect(try await sandbox.getData("test/test").isEmpty)
            #expect(try await sandbox.getData("test/test3").count == 1)
            #expect(try await sandbox.getData("test/test/").count == 1)
        }
    }
}
