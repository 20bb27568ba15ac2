import LosslessJSON
import PDAWire
import PlugCore
import TestKit
import Testing

@testable import PDASandbox

@Suite(.fewAtATime)
struct UserTests {
    private let path = "/users/user"

    @Test func usersAreManagedWithoutTheirHashes() async throws {
        try await RunningSandbox.with { [path] sandbox in
            let body = #"""
                {"email":"carol","name":"Carol","pass":"carol's password","roles":[{"role":"namespaceread","detail":"a"},
                 {"role":"namespacewrite"}]}
                """#
            let made = try await sandbox.send("POST", path, body, token: sandbox.owner)
            #expect(made.status == 201)
            let id = try #require(made.json?["userId"]?.stringText)
            // A role that lacks its detail is unknown, and grants nothing.
            #expect(made.json?["roles"]?.compactText == #"[{"role":"namespaceread","detail":"a"}]"#)
            #expect(try await sandbox.send("POST", path, body, token: sandbox.owner).status == 400)
            let list = try await sandbox.get(path, token: sandbox.owner)
            #expect(list.json?.elements?.map { $0["email"]?.stringText } == ["bob", "carol"])
            #expect(list.json?.elements?.allSatisfy { $0["pass"] == nil } == true)
            let credentials = [("username", "carol"), ("password", "carol's%20password")]
            let logIn = try await sandbox.get("/users/access_token", headers: credentials)
            let token = try #require(logIn.token)
            #expect(try await sandbox.get("/api/v2.6/data/a/b", token: token).status == 200)
            #expect(try await sandbox.get("/api/v2.6/data/b/b", token: token).status == 403)
            #expect(try await sandbox.get(path, token: token).status == 403)
            // Unlike the reference server's, `disable` disables, and a disabled user's tokens end.
            #expect(try await sandbox.send("PUT", "\(path)/\(id)/disable", "{}", token: sandbox.owner).status == 200)
            #expect(try await sandbox.get("/api/v2.6/data/a/b", token: token).status == 401)
            #expect(try await sandbox.get("/users/access_token", headers: credentials).status == 401)
            #expect(try await sandbox.send("PUT", "\(path)/\(id)/enable", "{}", token: sandbox.owner).status == 200)
            #expect(try await sandbox.get("/api/v2.6/data/a/b", token: token).status == 200)
            let update = #"{"email":"carol","name":"Carol","roles":[{"role":"namespaceread","detail":"b"}]}"#
            #expect(try await sandbox.send("PUT", "\(path)/\(id)/update", update, token: sandbox.owner).status == 201)
            // The token's scope is a role that the user still has.
            #expect(try await sandbox.get("/api/v2.6/data/b/b", token: token).status == 200)
            #expect(try await sandbox.delete("\(path)/\(id)/delete", token: sandbox.owner).status == 200)
            #expect(try await sandbox.get("/api/v2.6/data/b/b", token: token).status == 401)
            let unknown = try await sandbox.delete("\(path)/\(id)/delete", token: sandbox.owner)
            #expect(unknown.status == 404)
            #expect(failure(unknown)?.title == "No such User")
        }
    }

    @Test func privilegedUsersAreNotTouched() async throws {
        try await RunningSandbox.with { [path] sandbox in
            let owner = try #require(try await sandbox.pda.store.owner())
            for verb in ["disable", "delete"] {
                let reply = try await sandbox.send("PUT", "\(path)/\(owner.id)/\(verb)", "{}", token: sandbox.owner)
                #expect(reply.status == 403, "\(verb)")
                #expect(failure(reply)?.form == .application)
            }
            let body = #"{"email":"eve","pass":"x","roles":[{"role":"platform"}]}"#
            #expect(try await sandbox.send("POST", path, body, token: sandbox.owner).status == 403)
            let hash = #"{"email":"eve","pass":"$2a$06$aaaa","roles":[]}"#
            #expect(try await sandbox.send("POST", path, hash, token: sandbox.owner).status == 400)
        }
    }

    @Test func aScopeLimitsWhatATokenDoes() async throws {
        try await RunningSandbox.with { sandbox in
            let user = try await sandbox.user("carol", .read("a"))
            let right = try sandbox.token(of: user, scope: "namespaceread")
            let wrong = try sandbox.token(of: user, scope: "namespacewrite")
            #expect(try await sandbox.get("/api/v2.6/data/a/b", token: right).status == 200)
            #expect(try await sandbox.get("/api/v2.6/data/a/b", token: wrong).status == 403)
            let owner = try #require(try await sandbox.pda.store.owner())
            let validate = try sandbox.token(of: owner, scope: "validate")
            #expect(try await sandbox.get("/api/v2.6/data/a/b", token: validate).status == 403)
            #expect(try await sandbox.get(PDARoute.validate, token: validate).status == 200)
            let service = try await sandbox.get("/users/application_token?name=s&resource=r", token: sandbox.owner)
            #expect(TokenClaims(token: service.json?["accessToken"]?.stringText ?? "")?.resource == "r")
        }
    }

    @Test func theOwnersPasswordOfTheNewestStartCounts() async throws {
        let folder = try RunningSandbox.folder()
        try await RunningSandbox.with(in: folder) { sandbox in
            let body = #"{"newPassword":"a much better one","password":"\#(RunningSandbox.password)"}"#
            let reply = try await sandbox.send("POST", "/control/v2/auth/password", body, token: sandbox.owner)
            #expect(reply.status == 200)
        }
        try await RunningSandbox.with(in: folder) { sandbox in
            let headers = [("username", "bob"), ("password", PercentEncoding.segment(RunningSandbox.password))]
            let reply = try await sandbox.get("/users/access_token", headers: headers)
            #expect(reply.status == 200)
        }
    }

    @Test func aDomainIsTheOnlyHostThatIsAnswered() async throws {
        try await RunningSandbox.with(domain: "bob.example.org") { sandbox in
            func get(_ host: String) async throws -> Reply {
                try await sandbox.get("/publickey", headers: [("Host", host)])
            }
            #expect(try await get("bob.example.org").status == 200)
            #expect(try await get("BOB.example.org").status == 200)
            let other = try await get("alice.example.org")
            #expect(other.status == 404)
            #expect(other.text == #"{"error":"Not Found","message":"HAT unavailable"}"#)
            #expect(try await get("127.0.0.1:\(sandbox.address.port)").status == 404)
        }
    }
}
