import LosslessJSON
import PDAWire
import PlugCore
import TestKit
import Testing

@testable import PDASandbox

/// Lines 49 to 57 of the conformance list: applications and their states.
@Suite(.fewAtATime)
struct ApplicationConformance {
    private static func unknown(_ id: String) -> PDAFailure {
        PDAFailure(.application, title: "Application not Found", cause: PDACause.applicationUnknown(id))
    }

    @Test func line49TheListHasApplicationsThatAreNotSetUp() async throws {
        try await RunningSandbox.with(applications: [try Definition.plug("steps"), try Definition.plug("beats")]) {
            sandbox in
            _ = try await sandbox.get(PDARoute.setUp("steps"), token: sandbox.owner)
            let list = try await sandbox.get(PDARoute.applications, token: sandbox.owner)
            #expect(list.status == 200)
            #expect(list.json?.elements?.map { $0["application"]?["id"]?.stringText } == ["beats", "steps"])
            #expect(
                list.json?.elements?.map { flags($0) } == [[false, false, false, nil], [true, true, true, false]]
            )
        }
    }

    @Test func line50OneApplicationOr404() async throws {
        try await RunningSandbox.with(applications: [try Definition.plug("steps")]) { sandbox in
            let one = try await sandbox.get(PDARoute.application("steps"), token: sandbox.owner)
            #expect(one.status == 200)
            #expect(one.json?["application"] == (try Definition.plug("steps")))
            #expect(one.json?.object?.keys == ["application", "setup", "enabled", "active"])
            let unknown = try await sandbox.get(PDARoute.application("nope"), token: sandbox.owner)
            #expect(unknown.status == 404)
            #expect(failure(unknown) == Self.unknown("nope"))
        }
    }

    @Test func line51SettingUpActivates() async throws {
        try await RunningSandbox.with(applications: [try Definition.plug("steps")]) { sandbox in
            let reply = try await sandbox.get(PDARoute.setUp("steps"), token: sandbox.owner)
            #expect(reply.status == 200)
            #expect(flags(reply.json) == [true, true, true, false])
            let unknown = try await sandbox.get(PDARoute.setUp("nope"), token: sandbox.owner)
            #expect(unknown.status == 400)
            #expect(failure(unknown) == Self.unknown("nope"))
        }
    }

    @Test func line52DisablingKeepsItSetUp() async throws {
        try await RunningSandbox.with(applications: [try Definition.plug("steps")]) { sandbox in
            _ = try await sandbox.get(PDARoute.setUp("steps"), token: sandbox.owner)
            let reply = try await sandbox.get(PDARoute.disable("steps"), token: sandbox.owner)
            #expect(reply.status == 200)
            #expect(flags(reply.json) == [true, false, false, nil])
            let unknown = try await sandbox.get(PDARoute.disable("nope"), token: sandbox.owner)
            #expect(unknown.status == 400)
        }
    }

    @Test func line53AnApplicationsTokenIsForTheOwnerAndWhoeverHoldsTheRole() async throws {
        let roles = #"{"role":"owner"}"#
        let retriever = #"{"role":"retrieveapplicationtoken","detail":"steps"}"#
        let applications = [
            try Definition.plug("steps"), try Definition.plug("manager", roles: roles),
            try Definition.plug("retriever", roles: retriever),
        ]
        try await RunningSandbox.with(applications: applications) { sandbox in
            let reply = try await sandbox.get(PDARoute.applicationToken("steps"), token: sandbox.owner)
            #expect(reply.status == 200)
            #expect(reply.json?["accessToken"]?.stringText?.isEmpty == false)
            #expect(try await sandbox.get(PDARoute.applicationToken("nope"), token: sandbox.owner).status == 404)
            for (id, status) in [("manager", 403), ("retriever", 200)] {
                _ = try await sandbox.get(PDARoute.setUp(id), token: sandbox.owner)
                let token = try await sandbox.applicationToken(id)
                let other = try await sandbox.get(PDARoute.applicationToken("steps"), token: token)
                #expect(other.status == status, "\(id)")
                if status == 403 { #expect(other.json?["error"]?.stringText == "Forbidden") }
            }
        }
    }

    @Test func line54AnApplicationsTokenNamesItsVersion() async throws {
        try await RunningSandbox.with(applications: [try Definition.plug("steps")]) { sandbox in
            let claims = try #require(TokenClaims(token: try await sandbox.applicationToken("steps")))
            #expect(claims.application == "steps")
            #expect(claims.applicationVersion == "1.2.0")
        }
    }

    /// The sandbox itself is the application here: it answers 200 only where the token came along and is valid.
    @Test func line55AnExternalApplicationIsAskedForItsStatus() async throws {
        try await RunningSandbox.with { sandbox in
            for (id, path, expected, isActive) in [
                ("good", PDARoute.validate, 200, true), ("bad", PDARoute.validate, 204, false),
                ("gone", "/api/v2.6/nothing/here", 404, false),
            ] {
                var definition = try Definition.plug(id)
                definition = definition.setting("status", "kind", to: .text("External"))
                definition = definition.setting("status", "statusUrl", to: .text(sandbox.address.url + path))
                definition = definition.setting("status", "expectedStatus", to: .integer(expected))
                try await sandbox.pda.store.register(definition)
                let reply = try await sandbox.get(PDARoute.setUp(id), token: sandbox.owner)
                #expect(flags(reply.json) == [true, true, isActive, false], "\(id)")
            }
            // Nobody listens there.
            let closed = try Definition.plug("closed").setting("status", "kind", to: .text("External"))
                .setting("status", "statusUrl", to: .text("http://127.0.0.1:1/"))
                .setting("status", "expectedStatus", to: .integer(200))
            try await sandbox.pda.store.register(closed)
            let reply = try await sandbox.get(PDARoute.setUp("closed"), token: sandbox.owner)
            #expect(flags(reply.json) == [true, true, false, false])
        }
    }

    @Test func line56ARaisedCompatibilityNeedsUpdating() async throws {
        try await RunningSandbox.with(applications: [try Definition.plug("steps")]) { sandbox in
            _ = try await sandbox.get(PDARoute.setUp("steps"), token: sandbox.owner)
            let path = PDARoute.application("steps")
            #expect(flags(try await sandbox.get(path, token: sandbox.owner).json) == [true, true, true, false])
            let newer = try Definition.plug("steps", compatibility: "1.10.0", version: "1.10.0")
            try await sandbox.pda.store.register(newer)
            // States are kept for ten minutes, or until somebody will not have that.
            let kept = try await sandbox.get(path, token: sandbox.owner)
            #expect(flags(kept.json) == [true, true, true, false])
            let fresh = try await sandbox.get(path, token: sandbox.owner, headers: [("Cache-Control", "no-cache")])
            #expect(flags(fresh.json) == [true, true, true, true])
            try await sandbox.pda.store.register(Definition.plug("steps"))
            sandbox.clock.advance(seconds: 599)
            #expect(flags(try await sandbox.get(path, token: sandbox.owner).json) == [true, true, true, true])
            sandbox.clock.advance(seconds: 1)
            #expect(flags(try await sandbox.get(path, token: sandbox.owner).json) == [true, true, true, false])
        }
    }

    @Test func line57AnApplicationsDataDebitAndDependencies() async throws {
        let bundle = try JSONValue(parsing: #"{"name":"app-reader","bundle":{"p":{"endpoints":[{"endpoint":"a/b"}]}}}"#)
        let reader = try Definition.plug("reader").setting("permissions", "dataRetrieved", to: bundle)
        let dependencies = try JSONValue(parsing: #"{"plugs":["steps"],"tools":[],"contracts":[]}"#)
        let dependent = try Definition.plug("dependent").setting("dependencies", to: dependencies)
        let broken = try Definition.plug("broken").setting(
            "dependencies",
            to: JSONValue(parsing: #"{"plugs":["nope"],"tools":[],"contracts":[]}"#)
        )
        try await RunningSandbox.with(applications: [reader, dependent, broken, try Definition.plug("steps")]) {
            sandbox in
            let setUp = try await sandbox.get(PDARoute.setUp("reader"), token: sandbox.owner)
            #expect(flags(setUp.json) == [true, true, true, false])
            let debit = try await sandbox.get(PDARoute.dataDebit("app-reader"), token: sandbox.owner).json
            #expect(debit?["active"]?.bool == true)
            #expect(debit?["requestApplicationId"]?.stringText == "reader")
            #expect(debit?["permissionsActive"]?["period"]?.number?.int64 == Int64(2_592_000_000))
            let off = PDARoute.disableDataDebit("app-reader", atPeriodEnd: false)
            #expect(try await sandbox.get(off, token: sandbox.owner).status == 200)
            let after = try await sandbox.get(PDARoute.application("reader"), token: sandbox.owner)
            #expect(flags(after.json) == [true, true, false, false])
            // Setting up again agrees again; disabling the application ends its data debit.
            #expect(flags(try await sandbox.get(PDARoute.setUp("reader"), token: sandbox.owner).json)[2] == true)
            _ = try await sandbox.get(PDARoute.disable("reader"), token: sandbox.owner)
            let ended = try await sandbox.get(PDARoute.dataDebit("app-reader"), token: sandbox.owner).json
            #expect(ended?["active"]?.bool == false)
            let withPlug = try await sandbox.get(PDARoute.setUp("dependent"), token: sandbox.owner)
            #expect(withPlug.json?["dependenciesEnabled"]?.bool == true)
            #expect(flags(try await sandbox.get(PDARoute.application("steps"), token: sandbox.owner).json)[1] == true)
            let invalid = try await sandbox.get(PDARoute.setUp("broken"), token: sandbox.owner)
            #expect(invalid.status == 200)
            #expect(invalid.json?["dependenciesEnabled"]?.bool == false)
            #expect(flags(invalid.json) == [true, true, true, false])
        }
    }
}
