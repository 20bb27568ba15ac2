import Cryptography
import LosslessJSON
import PDAWire
import TestKit
import Testing

@testable import PDASandbox

@Suite(.fewAtATime)
struct AuthenticationTests {
    private static let notAuthenticated = #"{"error":"Not Authenticated","message":"Not Authenticated"}"#

    @Test func thePublicKeyIsPEM() async throws {
        try await RunningSandbox.with { sandbox in
            let reply = try await sandbox.get("/publickey")
            #expect(reply.status == 200)
            #expect(reply.headers["content-type"]?.hasPrefix("text/plain") == true)
            #expect(reply.text.hasPrefix("-----BEGIN PUBLIC KEY-----\n"))
            #expect(reply.text.hasSuffix("\n-----END PUBLIC KEY-----"))
            // What it signs can be verified with what it publishes.
            let key = try #require(RSAPublicKey(pem: reply.text))
            let parts = sandbox.owner.split(separator: ".")
            let signature = try #require(Base64URL.decode(parts[2]))
            let signed = Array("\(parts[0]).\(parts[1])".utf8)
            #expect(key.isSignature(signature, of: signed))
        }
    }

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
                #expect(reply.text == Self.notAuthenticated)
                #expect(reply.token == nil)
            }
        }
    }

    @Test func loggingIn() async throws {
        try await RunningSandbox.with { sandbox in
            func logIn(_ headers: [(String, String)]) async throws -> Reply {
                try await sandbox.get("/users/access_token", headers: headers)
            }
            let none = try await logIn([])
            #expect(none.status == 401)
            #expect(
                none.text
                    == #"{"message":"Credentials required","cause":"No username or password provided to retrieve token"}"#
            )
            let wrong = try await logIn([("username", "bob"), ("password", "wrong")])
            #expect(wrong.status == 401)
            #expect(wrong.text == Self.notAuthenticated)
            let right = try await logIn([
                ("username", "bob"), ("password", PercentEncoding.segment(RunningSandbox.password)),
            ])
            #expect(right.status == 200)
            let token = try #require(right.json?["accessToken"]?.stringText)
            #expect(right.token == token)
            #expect(RandomText.isUUID(right.json?["userId"]?.stringText ?? ""))
            let claims = try #require(TokenClaims(token: token))
            #expect(claims.issuer == "127.0.0.1:\(sandbox.address.port)")
            #expect(claims.scope == "owner")
            #expect(claims.resource == claims.issuer)
            #expect(claims.issuedAt == 1_700_000_000)
            #expect(claims.expires == 1_702_592_000)
            #expect(claims.identifier?.count == 256)
            #expect(claims.subject?.hasPrefix("1-") == true)
            #expect(claims.application == nil)
            #expect(try await sandbox.get("/users/access_token/validate", token: token).status == 200)
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

    @Test func anAnswerCarriesARefreshedToken() async throws {
        try await RunningSandbox.with { sandbox in
            let old = try #require(TokenClaims(token: sandbox.owner))
            sandbox.clock.advance(seconds: 60)
            let reply = try await sandbox.get("/api/v2.6/data/a/b", token: sandbox.owner)
            let new = try #require(reply.token.flatMap { TokenClaims(token: $0) })
            #expect(new.issuedAt == old.issuedAt + 60)
            #expect(new.expires == old.expires)
            #expect(new.identifier == old.identifier)
            #expect(new.subject == old.subject)
            #expect(try await sandbox.get("/api/v2.6/data/a/b", token: reply.token).status == 200)
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
