import LosslessJSON
import PDAWire
import PlugCore
import Synchronization
import TestKit
import Testing

@testable import PDASandbox

/// A directory whose answers a test decides.
private final class ScriptedDirectory: ApplicationDirectory {
    struct Down: Error {}
    struct State {
        var known: [JSONValue] = []
        var isDown = false
        var refusesConsent = false
        var consents: [String] = []
        var tokens: [String] = []
    }
    let state: Mutex<State>

    init(_ known: [JSONValue]) { state = Mutex(State(known: known)) }

    func definition(of id: String) async throws -> JSONValue? {
        try state.withLock { state in
            if state.isDown { throw Down() }
            return state.known.first { $0["id"]?.stringText == id }
        }
    }

    func definitions() async throws -> [JSONValue] {
        try state.withLock { state in
            if state.isDown { throw Down() }
            return state.known
        }
    }

    func registerConsent(to id: String, token: Secret) async throws {
        try state.withLock { state in
            if state.refusesConsent { throw Down() }
            state.consents.append(id)
            state.tokens.append(token.reveal())
        }
    }
}

@Suite(.fewAtATime)
struct DirectoryTests {
    @Test func definitionsComeFromTheDirectoryAndConsentGoesThere() async throws {
        let directory = ScriptedDirectory([try Definition.plug("steps")])
        try await RunningSandbox.with(directory: directory) { sandbox in
            let reply = try await sandbox.get(PDARoute.setUp("steps"), token: sandbox.owner)
            #expect(flags(reply.json) == [true, true, true, false])
            let (consents, tokens) = directory.state.withLock { ($0.consents, $0.tokens) }
            #expect(consents == ["steps"])
            #expect(TokenClaims(token: tokens[0])?.scope == "platform")
            let token = try await sandbox.applicationToken("steps")
            #expect(try await sandbox.send("POST", "/api/v2.6/data/steps/a", "1", token: token).status == 201)
        }
    }

    @Test func aDirectoryThatIsDownTakesTheRightsOfItsApplications() async throws {
        let directory = ScriptedDirectory([try Definition.plug("steps")])
        try await RunningSandbox.with(directory: directory) { sandbox in
            _ = try await sandbox.get(PDARoute.setUp("steps"), token: sandbox.owner)
            let token = try await sandbox.applicationToken("steps")
            directory.state.withLock { $0.isDown = true }
            #expect(try await sandbox.send("POST", "/api/v2.6/data/steps/a", "1", token: token).status == 403)
            #expect(try await sandbox.get(PDARoute.applications, token: sandbox.owner).status == 500)
            #expect(try await sandbox.get(PDARoute.application("steps"), token: sandbox.owner).status == 404)
            #expect(try await sandbox.get(PDARoute.setUp("steps"), token: sandbox.owner).status == 400)
            #expect(try await sandbox.get("/", headers: try await sandbox.session()).status == 200)
            directory.state.withLock { $0.isDown = false }
            #expect(try await sandbox.send("POST", "/api/v2.6/data/steps/a", "1", token: token).status == 201)
        }
    }

    @Test func aConsentThatCannotBeRegisteredLeavesTheApplicationEnabled() async throws {
        let directory = ScriptedDirectory([try Definition.plug("steps")])
        directory.state.withLock { $0.refusesConsent = true }
        try await RunningSandbox.with(directory: directory) { sandbox in
            let reply = try await sandbox.get(PDARoute.setUp("steps"), token: sandbox.owner)
            #expect(reply.status == 500)
            let state = try await sandbox.get(PDARoute.application("steps"), token: sandbox.owner)
            #expect(flags(state.json) == [true, true, true, false])
        }
    }

    @Test func anApplicationWhoseDataDebitClashesIsMalformed() async throws {
        let bundle = try JSONValue(parsing: #"{"name":"taken","bundle":{}}"#)
        let reader = try Definition.plug("reader").setting("permissions", "dataRetrieved", to: bundle)
        try await RunningSandbox.with(applications: [reader]) { sandbox in
            _ = try await sandbox.send("POST", "/api/v2.6/data-bundle/taken", "{}", token: sandbox.owner)
            let reply = try await sandbox.get(PDARoute.setUp("reader"), token: sandbox.owner)
            #expect(reply.status == 500)
            #expect(failure(reply)?.title == "Application malformed")
            let state = try await sandbox.get(PDARoute.application("reader"), token: sandbox.owner)
            #expect(flags(state.json) == [false, false, false, nil])
        }
    }

    @Test func aProxiedRequestCarriesTheApplicationsToken() async throws {
        try await RunningSandbox.with { sandbox in
            // The sandbox is the upstream too: what arrives there is what an application would see.
            let kind = try JSONValue(parsing: #"{"kind":"DataPlug","url":"\#(sandbox.address.url)/"}"#)
            try await sandbox.pda.store.register(Definition.plug("steps").setting("kind", to: kind))
            let path = "/api/v2.6/applications/steps/proxy"
            let early = try await sandbox.get("\(path)/users/access_token/validate", token: sandbox.owner)
            #expect(early.status == 400)
            #expect(failure(early)?.title == "Application not active")
            _ = try await sandbox.get(PDARoute.setUp("steps"), token: sandbox.owner)
            let reply = try await sandbox.get("\(path)/users/access_token/validate?x=y", token: sandbox.owner)
            #expect(reply.text == #"{"message":"Authenticated"}"#)
            #expect(reply.headers["content-type"] == "application/json")
            let written = try await sandbox.send("POST", "\(path)/api/v2.6/data/steps/a", "7", token: sandbox.owner)
            #expect(written.status == 201)
            #expect(try await sandbox.getData("steps/a").map { $0["data"]?.compactText } == ["7"])
            #expect(try await sandbox.get("/api/v2.6/applications/nope/proxy/x", token: sandbox.owner).status == 404)
            #expect(try await sandbox.get("\(path)/publickey").status == 401)
        }
    }
}
