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

    @Test func aSingleValueComesBackAsOneObject() async throws {
        try await RunningSandbox.with { sandbox in
            let reply = try await sandbox.post(
                "test/endpoint",
                #"{ "longer": [1.10, 1e400, 9007199254740993], "a": null }"#
            )
            #expect(reply.status == 201)
            let id = try #require(reply.json?["recordId"]?.stringText)
            #expect(UUIDText.isValid(id))
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
