import LosslessJSON
import PDAWire
import TestKit
import Testing

@testable import PDASandbox

/// Records of an endpoint, beyond what the conformance lines say.
@Suite(.fewAtATime)
struct DataTests {
    private let d1 = #"{"field":"value","n":1}"#
    private let d2 = #"{"field":"value2","n":2}"#
    private let d3 = #"{"other":true}"#

    @Test func nothingStoredIsAnEmptyArray() async throws {
        try await RunningSandbox.with { sandbox in
            let reply = try await sandbox.get("/api/v2.6/data/test/endpoint", token: sandbox.owner)
            #expect(reply.status == 200)
            #expect(reply.text == "[]")
        }
    }

    @Test func orderingPutsMissingValuesLastBothWays() async throws {
        try await RunningSandbox.with { [d1, d2, d3] sandbox in
            _ = try await sandbox.post("test/endpoint", "[\(d3),\(d2),\(d1)]")
            func fields(_ query: String) async throws -> [String?] {
                try await sandbox.getData("test/endpoint?\(query)").map { $0["data"]?["field"]?.stringText }
            }
            #expect(try await fields("orderBy=field&take=2") == ["value", "value2"])
            #expect(try await fields("orderBy=field&ordering=descending") == ["value2", "value", nil])
            #expect(try await fields("orderBy=field&ordering=descending&skip=1&take=2") == ["value", nil])
            #expect(try await fields("take=0") == [])
            #expect(try await fields("take=") == [nil, "value2", "value"])
        }
    }

    @Test func aSingleValueComesBackAsOneObject() async throws {
        try await RunningSandbox.with { sandbox in
            let reply = try await sandbox.post(
                "test/endpoint",
                #"{ "longer": [1.10, 1e400, 9007199254740993], "a": null }"#
            )
            #expect(reply.status == 201)
            let id = try #require(reply.json?["recordId"]?.stringText)
            #expect(RandomText.isUUID(id))
            let data = #"{"a":null,"longer":[1.10,1e400,9007199254740993]}"#
            #expect(reply.text == #"{"endpoint":"test/endpoint","recordId":"\#(id)","data":\#(data),"links":[]}"#)
            let stored = try await sandbox.get("/api/v2.6/data/test/endpoint", token: sandbox.owner)
            #expect(stored.text == #"[{"endpoint":"test/endpoint","recordId":"\#(id)","data":\#(data)}]"#)
        }
    }

    @Test(arguments: ["null", "1", #""text""#, "false"]) func aTopLevelScalarIsARecord(json: String) async throws {
        try await RunningSandbox.with { sandbox in
            let posted = try await sandbox.post("test/endpoint", json)
            #expect(posted.status == 201)
            #expect(try await sandbox.getData("test/endpoint").map { $0["data"]?.compactText } == [json])
        }
    }

    @Test func anArrayIsManyRecords() async throws {
        try await RunningSandbox.with { [d1, d2] sandbox in
            let reply = try await sandbox.post("test/endpoint", "[\(d1),\(d2)]")
            #expect(reply.json?.elements?.map { $0["data"]?.compactText } == [d1Stored, d2Stored])
            #expect(try await sandbox.getData("test/endpoint").count == 2)
            let empty = try await sandbox.post("test/endpoint", "[]")
            #expect(empty.status == 201)
            #expect(empty.text == "[]")
        }
    }

    @Test func aDuplicateInAStrictPostStoresNothing() async throws {
        try await RunningSandbox.with { [d1, d2] sandbox in
            let reply = try await sandbox.post("test/endpoint", "[\(d1),\(d1),\(d2)]")
            #expect(reply.status == 400)
            #expect(reply.text == #"{"message":"Bad Request","cause":"Duplicate data - Duplicate data"}"#)
            #expect(reply.token != nil)
            #expect(try await sandbox.getData("test/endpoint").isEmpty)
        }
    }

    @Test func skippingErrorsStoresTheRestAndSaysNothing() async throws {
        try await RunningSandbox.with { [d1, d2] sandbox in
            let first = try await sandbox.post("test/endpoint?skipErrors=true", "[\(d1),\(d1),\(d2)]")
            #expect(first.status == 201)
            #expect(first.json?.elements?.map { $0["data"]?.compactText } == [d1Stored, d2Stored])
            #expect(try await sandbox.getData("test/endpoint").count == 2)
            let second = try await sandbox.post("test/endpoint?skipErrors=true", "[\(d1),\(d1),\(d2)]")
            #expect(second.status == 201)
            #expect(second.text == "[]")
            // Ignored for a single value.
            #expect(try await sandbox.post("test/endpoint?skipErrors=1", d1).status == 400)
        }
    }

    @Test func duplicatesAreSoughtInTheWholePDA() async throws {
        try await RunningSandbox.with { [d1] sandbox in
            let first = try await sandbox.post("test/a", d1)
            #expect(first.status == 201)
            #expect(failure(try await sandbox.post("other/b", d1))?.cause == PDACause.duplicate)
            _ = try await sandbox.delete("/api/v2.6/data/test/a", token: sandbox.owner)
            #expect(try await sandbox.post("other/b", d1).status == 201)
        }
    }

    @Test func keyOrderCountsAndNumbersAreNormalised() async throws {
        try await RunningSandbox.with { sandbox in
            let first = try await sandbox.post("test/a", #"{"a":2,"b":1}"#)
            #expect(first.status == 201)
            #expect(try await sandbox.post("test/a", #"{"b":1,"a":2}"#).status == 201)
            for same in [#"{"a":2.0,"b":1}"#, #"{ "a" : 2e0, "b" : 1 }"#, #"{"\u0061":20e-1,"b":0,"b":1.00}"#] {
                #expect(failure(try await sandbox.post("test/a", same))?.cause == PDACause.duplicate, "\(same)")
            }
        }
    }

    @Test func oneRecordByItsID() async throws {
        try await RunningSandbox.with { [d1] sandbox in
            let id = try #require(try await sandbox.post("test/a", d1).json?["recordId"]?.stringText)
            let found = try await sandbox.get(PDARoute.record(id), token: sandbox.owner)
            #expect(found.text == #"{"endpoint":"test/a","recordId":"\#(id)","data":{"n":1,"field":"value"}}"#)
            let unknown = try await sandbox.get(PDARoute.record(RandomText.uuid()), token: sandbox.owner)
            #expect(unknown.status == 400)
            #expect(failure(unknown) == PDAFailure(.application, title: "Data Missing", cause: PDACause.recordMissing))
            let nobody = try await sandbox.get(PDARoute.record(id))
            #expect(nobody.status == 403)
            #expect(nobody.body.isEmpty)
            #expect(nobody.token == nil)
        }
    }

    @Test func sourcesListEndpointsByNamespace() async throws {
        try await RunningSandbox.with { [d1, d2, d3] sandbox in
            _ = try await sandbox.post("test/test", d1)
            _ = try await sandbox.post("test2/test2", d2)
            _ = try await sandbox.post("test/test3", d3)
            let sources = try await sandbox.get(PDARoute.sources, token: sandbox.owner)
            #expect(sources.text == #"{"test":["test","test3"],"test2":["test2"]}"#)
        }
    }

    @Test func deletingAnEndpointLeavesTheOthers() async throws {
        try await RunningSandbox.with { [d1, d2] sandbox in
            _ = try await sandbox.post("test/test", d1)
            _ = try await sandbox.post("test/test/", d2)
            let reply = try await sandbox.delete("/api/v2.6/data/test/test", token: sandbox.owner)
            #expect(reply.text == #"{"message":"All records deleted"}"#)
            #expect(try await sandbox.getData("test/test").isEmpty)
            #expect(try await sandbox.getData("test/test/").count == 1)
        }
    }

    @Test func theOlderBasePathsTakeData() async throws {
        try await RunningSandbox.with { [d1, d2] sandbox in
            let oldest = try await sandbox.send("POST", "/api/v2/data/a/b", d1, token: sandbox.owner)
            #expect(oldest.status == 201)
            #expect(try await sandbox.send("POST", "/api/v2.0/data/a/b", d2, token: sandbox.owner).status == 201)
            #expect(try await sandbox.getData("a/b").count == 2)
        }
    }

    @Test func nullCharactersAreDeletedAndLoneSurrogatesRefused() async throws {
        try await RunningSandbox.with { sandbox in
            let reply = try await sandbox.post("test/a", #"{"a":"x\u0000y\n\"\u00e9"}"#)
            #expect(reply.json?["data"]?.compactText == #"{"a":"xy\n\"é"}"#)
            let refused = try await sandbox.post("test/a", #"{"a":"\ud800"}"#)
            #expect(failure(refused)?.cause == PDACause.notInsertable)
            #expect(
                try await sandbox.post("test/a?skipErrors=true", #"[{"a":"\ud800"},{"b":1}]"#).json?.elements?.count
                    == 1
            )
        }
    }

    @Test func anUnknownQueryKeyFiltersAfterPaging() async throws {
        try await RunningSandbox.with { [d1, d2, d3] sandbox in
            _ = try await sandbox.post("test/a", "[\(d1),\(d2),\(d3)]")
            #expect(try await sandbox.getData("test/a?field=value2").count == 1)
            #expect(try await sandbox.getData("test/a?field=value2&take=1").isEmpty)
            #expect(try await sandbox.getData("test/a?n=1").isEmpty)
            #expect(try await sandbox.getData("test/a?_=1234").isEmpty)
            // The token as a parameter goes before the header's, and filters too.
            let byQuery = try await sandbox.get("/api/v2.6/data/test/a?X-Auth-Token=\(sandbox.owner)", token: "wrong")
            #expect(byQuery.status == 200)
            #expect(byQuery.text == "[]")
        }
    }

    @Test func ordersByValuesOfAllKinds() async throws {
        try await RunningSandbox.with { sandbox in
            let values = ["null", #""b""#, #""a""#, "10", "9", "true", "[1]", "{}"]
            _ = try await sandbox.post(
                "test/a",
                "[" + values.map { #"{"v":\#($0),"i":1}"# }.joined(separator: ",") + "]"
            )
            let ordered = try await sandbox.getData("test/a?orderBy=v").map { $0["data"]?["v"]?.compactText }
            #expect(ordered == ["null", #""a""#, #""b""#, "9", "10", "true", "[1]", "{}"])
        }
    }
}

private let d1Stored = #"{"n":1,"field":"value"}"#
private let d2Stored = #"{"n":2,"field":"value2"}"#
