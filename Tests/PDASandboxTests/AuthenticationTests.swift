import LosslessJSON
import PDAWire
import PlugCore
import TestKit
import Testing

@testable import PDASandbox

@Suite(.fewAtATime)
struct AuthenticationTests {
    @Test func validatingAToken() async throws {
        try await RunningSandbox.with { sandbox in
            let valid = try await sandbox.get("/users/access_token/validate", token: sandbox.owner)
            #expect(valid.status == 200)
            #expect(valid.text == #"{"message":"Authenticated"}"#)
            let stranger = Tokens(key: sandbox.pda.store.key, subject: "1-nobody", clock: sandbox.clock)
            let parts = sandbox.owner.split(separator: ".").map(String.init)
            let none = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8))
            for wrong in [
                nil, "", "x", try stranger.owner(issuer: "127.0.0.1"),
                "\(parts[0]).\(parts[1]).\(parts[2].reversed().map(String.init).joined())", "\(none).\(parts[1]).",
            ] {
                let reply = try await sandbox.get("/users/access_token/validate", token: wrong)
                #expect(reply.status == 401)
                #expect(reply.text == notAuthenticated)
                #expect(reply.token == nil)
            }
        }
    }

    @Test func loggingInIsLimited() async throws {
        try await RunningSandbox.with { sandbox in
            for _ in 0..<10 { #expect(try await sandbox.get("/users/access_token").status == 401) }
            let limited = try await sandbox.get("/users/access_token")
            #expect(limited.status == 400)
            #expect(
                limited.text
                    == #"{"message":"Request rate exceeded","cause":"Rate of requests from your IP exceeded","details":["Request to /users/access_token"]}"#
            )
            let other = try await sandbox.get("/users/access_token", headers: [("X-Forwarded-For", "10.0.0.1")])
            // Whoever sends this header is counted by the address all the same.
            #expect(other.status == 400)
            sandbox.clock.advance(seconds: 2)
            #expect(try await sandbox.get("/users/access_token").status == 401)
            #expect(try await sandbox.get("/users/access_token").status == 400)
        }
    }

    @Test func aTokenDiesAfterThreeIdleDaysAndThirtyInAll() async throws {
        try await RunningSandbox.with { sandbox in
            var token = sandbox.owner
            sandbox.clock.advance(seconds: 259_199)
            token = try #require(try await sandbox.get("/api/v2.6/data/a/b", token: token).token)
            sandbox.clock.advance(seconds: 1)
            #expect(try await sandbox.get("/api/v2.6/data/a/b", token: sandbox.owner).status == 401)
            for _ in 0..<13 {
                token = try #require(try await sandbox.get("/api/v2.6/data/a/b", token: token).token)
                sandbox.clock.advance(seconds: 2 * 86_400)
            }
            #expect(try await sandbox.get("/api/v2.6/data/a/b", token: token).status == 200)
            sandbox.clock.advance(seconds: 86_400)
            #expect(try await sandbox.get("/api/v2.6/data/a/b", token: token).status == 401)
        }
    }

    @Test func aBrowserIsSentToThePageInstead() async throws {
        try await RunningSandbox.with { sandbox in
            let reply = try await sandbox.get(
                "/api/v2.6/data/a/b",
                headers: [("Accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8")]
            )
            #expect(reply.status == 303)
            #expect(reply.headers["location"] == "/")
            #expect(reply.headers["vary"] == "Accept")
            #expect(try await sandbox.get("/api/v2.6/data/a/b", headers: [("Accept", "*/*")]).status == 401)
        }
    }
}
