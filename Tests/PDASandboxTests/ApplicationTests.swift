import LosslessJSON
import PDAWire
import PlugCore
import TestKit
import Testing

@testable import PDASandbox

@Suite(.fewAtATime)
struct ApplicationTests {
    @Test func aWriteOnlyTokenWritesItsNamespaceOnly() async throws {
        try await RunningSandbox.with(applications: [try Definition.plug("steps")]) { sandbox in
            let token = try await sandbox.applicationToken("steps")
            let early = try await sandbox.send("POST", "/api/v2.6/data/steps/daily", "1", token: token)
            #expect(early.status == 403)
            _ = try await sandbox.get(PDARoute.setUp("steps"), token: sandbox.owner)
            let write = try await sandbox.send("POST", "/api/v2.6/data/steps/daily", "1", token: token)
            #expect(write.status == 201)
            #expect(write.token != nil)
            let read = try await sandbox.get("/api/v2.6/data/steps/daily", token: token)
            #expect(read.status == 403)
            #expect(read.text == #"{"error":"Forbidden","message":"Access Denied"}"#)
            #expect(read.token != nil)
            #expect(try await sandbox.send("POST", "/api/v2.6/data/other/daily", "2", token: token).status == 403)
            #expect(try await sandbox.get(PDARoute.sources, token: token).status == 200)
            #expect(try await sandbox.get(PDARoute.applications, token: token).status == 403)
            let id = try #require(write.json?["recordId"]?.stringText)
            #expect(try await sandbox.get(PDARoute.record(id), token: token).status == 400)
            let batch = #"[{"endpoint":"steps/a","data":3},{"endpoint":"other/a","data":4}]"#
            let refused = try await sandbox.send("POST", PDARoute.dataBatch, batch, token: token)
            #expect(refused.status == 403)
            #expect(failure(refused)?.cause == PDACause.batchForbidden)
            #expect(try await sandbox.getData("steps/a").isEmpty)
            let disabled = try await sandbox.get(PDARoute.disable("steps"), token: sandbox.owner)
            #expect(flags(disabled.json) == [true, false, false, nil])
            #expect(try await sandbox.send("POST", "/api/v2.6/data/steps/daily", "5", token: token).status == 403)
        }
    }

    @Test func aPlugCannotChangeRecordsOfOthersThroughItsOwnNamespace() async throws {
        try await RunningSandbox.with(applications: [try Definition.plug("steps")]) { sandbox in
            _ = try await sandbox.get(PDARoute.setUp("steps"), token: sandbox.owner)
            let token = try await sandbox.applicationToken("steps")
            let id = try #require(try await sandbox.post("diary/notes", "1").json?["recordId"]?.stringText)
            let body = #"[{"endpoint":"steps/daily","recordId":"\#(id)","data":2}]"#
            #expect(try await sandbox.send("PUT", PDARoute.records, body, token: token).status == 400)
            let deletion = try await sandbox.delete("/api/v2.6/data?records=\(id)", token: token)
            #expect(deletion.status == 403)
            #expect(failure(deletion)?.cause == PDACause.deleteForbidden)
            #expect(try await sandbox.getData("diary/notes").map { $0["data"]?.compactText } == ["1"])
        }
    }

    @Test func anApplicationsToken() async throws {
        let manager = try Definition.plug("manager", roles: #"{"role":"owner"}"#)
        try await RunningSandbox.with(applications: [try Definition.plug("steps"), manager]) { sandbox in
            let reply = try await sandbox.get(PDARoute.applicationToken("steps"), token: sandbox.owner)
            #expect(reply.status == 200)
            let claims = try #require(TokenClaims(token: reply.json?["accessToken"]?.stringText ?? ""))
            #expect(claims.application == "steps")
            #expect(claims.applicationVersion == "1.2.0")
            #expect(claims.scope == nil)
            #expect(claims.issuer == "127.0.0.1:\(sandbox.address.port)")
            // The header holds the caller's token, not the application's.
            #expect(reply.token.flatMap { TokenClaims(token: $0) }?.application == nil)
            #expect(try await sandbox.get(PDARoute.applicationToken("nope"), token: sandbox.owner).status == 404)
            _ = try await sandbox.get(PDARoute.setUp("manager"), token: sandbox.owner)
            let token = try await sandbox.applicationToken("manager")
            #expect(try await sandbox.get(PDARoute.application("steps"), token: token).status == 200)
            let refused = try await sandbox.get(PDARoute.applicationToken("steps"), token: token)
            #expect(refused.status == 403)
            #expect(refused.json?["error"]?.stringText == "Forbidden")
        }
    }

    @Test func aRaisedCompatibilityNeedsUpdating() async throws {
        let folder = try RunningSandbox.folder()
        try await RunningSandbox.with(applications: [try Definition.plug("steps")], in: folder) { sandbox in
            _ = try await sandbox.get(PDARoute.setUp("steps"), token: sandbox.owner)
        }
        let newer = try Definition.plug("steps", compatibility: "1.10.0", version: "1.10.0")
        try await RunningSandbox.with(applications: [newer], in: folder) { sandbox in
            let state = try await sandbox.get(PDARoute.application("steps"), token: sandbox.owner).json
            #expect(flags(state) == [true, true, true, true])
            #expect(
                flags(try await sandbox.get(PDARoute.setUp("steps"), token: sandbox.owner).json) == [
                    true, true, true, false,
                ]
            )
        }
    }

    @Test func mostRecentDataIsTheNewestRecordsTime() async throws {
        try await RunningSandbox.with(applications: [try Definition.plug("steps")]) { sandbox in
            _ = try await sandbox.post("steps/daily", "[1,2]")
            let before = try await sandbox.get(PDARoute.application("steps"), token: sandbox.owner).json
            #expect(before?["mostRecentData"] == nil)
            let after = try await sandbox.get(PDARoute.setUp("steps"), token: sandbox.owner).json
            #expect(after?["mostRecentData"]?.stringText == "2023-11-14T22:13:20.000Z")
        }
    }

    @Test func aTokenIsMadeBesideTheServer() async throws {
        let folder = try RunningSandbox.folder()
        let store = try await SandboxStore.open(stateFolder: folder)
        try await store.register(Definition.plug("steps"))
        try await store.setUp(application: "steps")
        let early = try await store.token(application: "steps")
        try await RunningSandbox.with(in: folder) { sandbox in
            let other = try await SandboxStore.open(stateFolder: folder)
            try await other.register(Definition.plug("beats"))
            try await other.setUp(application: "beats")
            // Made with the machine's clock: the test's is set to it.
            let late = try await other.token(application: "beats")
            #expect(TokenClaims(token: late.reveal())?.issuer == "127.0.0.1:\(sandbox.address.port)")
            sandbox.clock.advance(seconds: SystemClock().seconds - sandbox.clock.seconds)
            #expect(try await sandbox.send("POST", "/api/v2.6/data/beats/a", "1", token: late.reveal()).status == 201)
            #expect(try await sandbox.send("POST", "/api/v2.6/data/steps/a", "2", token: early.reveal()).status == 201)
        }
        await #expect { try await store.setUp(application: "nope") } throws: {
            ($0 as? PlugError)?.code == "sandbox-application"
        }
    }
}
