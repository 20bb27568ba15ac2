import Cryptography
import LosslessJSON
import PDAWire
import PlugCore
import TestKit
import Testing

@testable import PDASandbox

/// Lines 41 to 48 of the conformance list: tokens, passwords, log-in.
@Suite(.fewAtATime)
struct AuthenticationConformance {
    @Test func line41ThePublicKeyIsPEM() async throws {
        try await RunningSandbox.with { sandbox in
            let reply = try await sandbox.get("/publickey")
            #expect(reply.status == 200)
            #expect(reply.headers["content-type"]?.hasPrefix("text/plain") == true)
            #expect(reply.text.hasPrefix("-----BEGIN PUBLIC KEY-----\n"))
            #expect(reply.text.hasSuffix("\n-----END PUBLIC KEY-----"))
            #expect(reply.headers["etag"]?.count == 18)
            // What it signs can be verified with what it publishes.
            let key = try #require(RSAPublicKey(pem: reply.text))
            let parts = sandbox.owner.split(separator: ".")
            let signature = try #require(Base64URL.decode(parts[2]))
            #expect(key.isSignature(signature, of: Array("\(parts[0]).\(parts[1])".utf8)))
        }
    }

    @Test func line42ATokenOfAnUnknownUserIsNotValid() async throws {
        try await RunningSandbox.with { sandbox in
            let path = PDARoute.validate
            let user = try await sandbox.user("carol")
            let token = try sandbox.token(of: user)
            let valid = try await sandbox.get(path, token: token)
            #expect(valid.status == 200)
            #expect(valid.text == #"{"message":"Authenticated"}"#)
            try await sandbox.pda.store.removeUser(user)
            let unknown = try await sandbox.get(path, token: token)
            #expect(unknown.status == 401)
            #expect(unknown.text == notAuthenticated)
        }
    }

    @Test func line43CredentialsGiveAToken() async throws {
        try await RunningSandbox.with { sandbox in
            let none = try await sandbox.get("/users/access_token")
            #expect(none.status == 401)
            #expect(
                none.text
                    == #"{"message":"Credentials required","cause":"No username or password provided to retrieve token"}"#
            )
            let wrong = try await sandbox.get(
                "/users/access_token",
                headers: [("username", "bob"), ("password", "wrong")]
            )
            #expect(wrong.status == 401)
            #expect(wrong.text == notAuthenticated)
            let right = try await sandbox.get(
                "/users/access_token",
                headers: [("username", "bob"), ("password", PercentEncoding.segment(RunningSandbox.password))]
            )
            #expect(right.status == 200)
            let token = try #require(right.json?["accessToken"]?.stringText)
            #expect(right.token == token)
            #expect(UUIDText.isValid(right.json?["userId"]?.stringText ?? ""))
            let owner = try await sandbox.pda.store.owner()
            let claims = try #require(TokenClaims(token: token))
            #expect(claims.issuer == "127.0.0.1:\(sandbox.address.port)")
            #expect(claims.scope == "owner")
            #expect(claims.resource == claims.issuer)
            #expect(claims.issuedAt == 1_700_000_000)
            #expect(claims.expires == 1_702_592_000)
            #expect(claims.identifier?.count == 256)
            #expect(claims.subject == owner?.subject)
            #expect(claims.subject?.hasPrefix("1-") == true)
            #expect(claims.application == nil)
            #expect(try await sandbox.get(PDARoute.validate, token: token).status == 200)
            // Another user's credentials give a token of that user.
            let user = try await sandbox.user("carol", Role("datacredit", ""))
            let other = try await sandbox.get(
                "/users/access_token",
                headers: [("username", "carol"), ("password", "carol's%20password")]
            )
            #expect(other.json?["userId"]?.stringText == user.id)
            #expect(TokenClaims(token: other.token ?? "")?.scope == "datacredit")
        }
    }

    @Test func line44HATLoginIsForTheOwner() async throws {
        try await RunningSandbox.with { sandbox in
            let path = "/control/v2/auth/hatlogin?name=service&redirect=https://service.example.org/in?a=b"
            let user = try await sandbox.user("carol", Role("datacredit", ""))
            #expect(try await sandbox.get(path, token: sandbox.token(of: user)).status == 403)
            let stranger = Tokens(key: sandbox.pda.store.key, subject: "1-nobody", clock: sandbox.clock)
            #expect(try await sandbox.get(path, token: stranger.owner(issuer: "127.0.0.1")).status == 401)
            let reply = try await sandbox.get(path, token: sandbox.owner)
            #expect(reply.status == 200)
            let target = try #require(reply.json?["message"]?.stringText)
            #expect(target.hasPrefix("https://service.example.org/in?a=b&token="))
            let token = try #require(TokenClaims(token: String(target.split(separator: "=").last ?? "")))
            // A service that nobody knows learns who the owner is, and can do nothing.
            #expect(token.scope == "validate")
            let missing = try await sandbox.get("/control/v2/auth/hatlogin?name=x", token: sandbox.owner)
            #expect(missing.text == #"{"error":"Bad Request","message":"Missing parameter: redirect"}"#)
        }
    }

    private func change(_ new: String, _ old: String?) -> String {
        let old = old.map { #","password":"\#($0)""# } ?? ""
        return #"{"newPassword":"\#(new)"\#(old)}"#
    }

    @Test func line45ThePasswordIsChangedByItsOwner() async throws {
        try await RunningSandbox.with { sandbox in
            let path = "/control/v2/auth/password"
            let (good, old) = ("a much better one", RunningSandbox.password)
            let user = try await sandbox.user("carol", Role("datacredit", ""))
            let foreign = try await sandbox.send("POST", path, change(good, old), token: sandbox.token(of: user))
            #expect(foreign.status == 403)
            let wrong = try await sandbox.send("POST", path, change(good, "wrong"), token: sandbox.owner)
            #expect(wrong.status == 403)
            #expect(wrong.text == #"{"message":"Invalid password","cause":"Old password invalid"}"#)
            let absent = try await sandbox.send("POST", path, change(good, nil), token: sandbox.owner)
            #expect(absent.status == 403)
            #expect(failure(absent)?.cause == "Old password missing")
            let weak = try await sandbox.send("POST", path, change("aaaaaaaaaaaa", old), token: sandbox.owner)
            #expect(weak.status == 400)
            #expect(weak.json?["error"]?.stringText == "Bad Request")
            #expect(weak.json?["message"]?["obj.newPassword"] != nil)
            let right = try await sandbox.send("POST", path, change(good, old), token: sandbox.owner)
            #expect(right.status == 200)
            #expect(right.text == #"{"message":"Password changed"}"#)
            // A new token, limited to no role and no resource.
            let claims = try #require(right.token.flatMap { TokenClaims(token: $0) })
            #expect(claims.scope == nil)
            #expect(claims.resource == nil)
            let headers = [("username", "bob"), ("password", PercentEncoding.segment(good))]
            #expect(try await sandbox.get("/users/access_token", headers: headers).status == 200)
        }
    }

    /// The reference server also gives the token away to whoever says `sendEmailToUser=false`; this one does not.
    @Test func line46AResetOfAnUnknownAddressLooksLikeAnyOther() async throws {
        try await RunningSandbox.with { sandbox in
            let path = "/control/v2/auth/passwordReset?sendEmailToUser=false"
            let known = try await sandbox.send("POST", path, #"{"email":"bob@example.org"}"#)
            let unknown = try await sandbox.send("POST", path, #"{"email":"eve@example.org"}"#)
            #expect(known.status == 200)
            #expect(unknown.status == 200)
            #expect(known.text == unknown.text)
            #expect(known.json?.object?.keys == ["message"])
            #expect(try await sandbox.send("POST", path, #"{"email":"bob"}"#).status == 400)
            let resets = try await sandbox.pda.store.openResets(at: sandbox.clock.milliseconds)
            #expect(resets.map(\.email) == ["bob@example.org"])
            let page = try await sandbox.get("/", headers: try await sandbox.session())
            #expect(page.text.contains(resets[0].token))
            #expect(!known.text.contains(resets[0].token))
        }
    }

    @Test func line47AResetIsConfirmedOnceInTime() async throws {
        let folder = try RunningSandbox.folder()
        let body = #"{"newPassword":"a much better one"}"#
        @Sendable func path(_ token: String) -> String { "/control/v2/auth/passwordreset/confirm/\(token)" }
        @Sendable func ask(_ sandbox: RunningSandbox) async throws -> String {
            _ = try await sandbox.send("POST", "/control/v2/auth/passwordReset", #"{"email":"bob@example.org"}"#)
            return try #require(try await sandbox.pda.store.openResets(at: sandbox.clock.milliseconds).first?.token)
        }
        try await RunningSandbox.with(in: folder) { sandbox in
            let unknown = try await sandbox.send("POST", path("nope"), body)
            #expect(unknown.status == 401)
            #expect(unknown.text == #"{"message":"Invalid Token","cause":"Token does not exist"}"#)
            let late = try await ask(sandbox)
            sandbox.clock.advance(seconds: 86_400)
            let expired = try await sandbox.send("POST", path(late), body)
            #expect(expired.status == 401)
            #expect(failure(expired)?.cause == "Token expired or invalid")
            let token = try await ask(sandbox)
            let weak = try await sandbox.send("POST", path(token), #"{"newPassword":"short"}"#)
            #expect(weak.status == 400)
            let good = try await sandbox.send("POST", path(token), body)
            #expect(good.status == 200)
            #expect(good.text == #"{"message":"Password reset"}"#)
            #expect(try await sandbox.get(PDARoute.validate, token: good.token).status == 200)
            #expect(try await sandbox.send("POST", path(token), body).status == 401)
            _ = try await ask(sandbox)
        }
        // The account has another address by now.
        try await RunningSandbox.with(email: "robert@example.org", in: folder) { sandbox in
            sandbox.clock.advance(seconds: 86_400)
            let token = try #require(
                try await sandbox.pda.store.openResets(at: sandbox.clock.milliseconds).first?.token
            )
            let foreign = try await sandbox.send("POST", path(token), body)
            #expect(foreign.status == 401)
            #expect(failure(foreign)?.cause == "Only HAT owner can reset their password")
        }
    }

    @Test func line48AnAnswerCarriesARefreshedToken() async throws {
        try await RunningSandbox.with(applications: [try Definition.plug("steps")]) { sandbox in
            let old = try #require(TokenClaims(token: sandbox.owner))
            sandbox.clock.advance(seconds: 60)
            let plug = try await sandbox.applicationToken("steps")
            let answers = [
                try await sandbox.get("/api/v2.6/data/a/b", token: sandbox.owner),
                try await sandbox.get(PDARoute.application("nope"), token: sandbox.owner),
            ]
            for reply in answers {
                let new = try #require(reply.token.flatMap { TokenClaims(token: $0) })
                #expect(new.issuedAt == old.issuedAt + 60)
                #expect(new.expires == old.expires)
                #expect(new.identifier == old.identifier)
                #expect(new.subject == old.subject)
                #expect(try await sandbox.get("/api/v2.6/data/a/b", token: reply.token).status == 200)
            }
            for path in ["/api/v2.6/data/a/b", "/api/v2.6/applications/steps/hmi"] {
                let forbidden = try await sandbox.get(path, token: plug)
                #expect(forbidden.status == 403)
                #expect(forbidden.token != nil)
            }
            let refused = try await sandbox.get("/api/v2.6/data/a/b", token: "nonsense")
            #expect(refused.status == 401)
            #expect(refused.token == nil)
        }
    }
}
