import LosslessJSON
import PDAClient
import PDAWire
import PlugCore
import Testing

struct VerifyTests {
    private static let day: Int64 = 86_400
    private static let now: Int64 = 1_800_000_000

    private func payload(
        iss: String = "pda.example.net",
        iat: Int64 = now,
        exp: Int64? = now + 30 * day,
        more: String = #","application":"acme-diary""#
    ) -> String {
        #"{"iss":"\#(iss)","iat":\#(iat)\#(exp.map { ",\"exp\":\($0)" } ?? "")\#(more)}"#
    }

    private func problem(_ token: String, application: String? = nil) throws -> String? {
        let key = try PDAPublicKey(pem: TestKey.shared.pem)
        do throws(PDAError) {
            _ = try key.verify(Secret(token), issuer: "PDA.example.net", application: application, at: Self.now)
            return nil
        } catch {
            #expect(error.code == .invalidToken)
            #expect(error.remedy == .logIn)
            return error.message
        }
    }

    @Test func aTokenOfThisPDAIsAccepted() throws {
        let signer = TestKey.shared
        let key = try PDAPublicKey(pem: signer.pem)
        let token = Secret(try signer.token(payload()))
        let claims = try key.verify(token, issuer: "pda.example.net", application: "acme-diary", at: Self.now)
        #expect(claims.application == "acme-diary")
        #expect(claims.usableUntil == Self.now + 3 * Self.day)
        #expect(try problem(try signer.token(payload(exp: Self.now + 1))) == nil)
        #expect(try problem(try signer.token(payload(iat: Self.now - 3 * Self.day + 1))) == nil)
        #expect(try problem(try signer.token(payload(iat: Self.now + 300))) == nil)
    }

    @Test func timesIssuerAndApplicationAreChecked() throws {
        let signer = TestKey.shared
        let cases: [(String, String)] = [
            (payload(exp: Self.now), "the token has expired"),
            (payload(exp: nil), "the token has no expiry time"),
            (payload(iat: Self.now - 3 * Self.day), "the token was not used for three days"),
            (payload(iat: Self.now + 301), "the token was issued in the future"),
            (payload(iss: "evil.example"), "the token was issued by another PDA"),
            (payload(iss: "pda.example.net.evil.example"), "the token was issued by another PDA"),
            (payload(more: ""), "the token is for another application"),
            (payload(more: #","application":"other""#), "the token is for another application"),
            (#"{"exp":1900000000}"#, "the token has no iss or no iat"), ("[]", "the token has no iss or no iat"),
        ]
        for (payload, message) in cases {
            #expect(try problem(try signer.token(payload), application: "acme-diary") == message)
        }
    }

    @Test func onlyRS256WithThisKeyCounts() throws {
        let signer = TestKey.shared
        let good = try signer.token(payload())
        let foreign = try TestKey().token(payload())
        #expect(try problem(foreign) == "the token is not signed by this PDA")
        let parts = good.split(separator: ".")
        let none = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8))
        let forged = Base64URL.encode(Array(payload(iss: "pda.example.net", more: "").utf8))
        #expect(try problem("\(none).\(parts[1]).") == "the token is not signed with RS256")
        #expect(try problem("\(parts[0]).\(forged).\(parts[2])") == "the token is not signed by this PDA")
        #expect(try problem("\(parts[0]).\(parts[1]).") == "the token is not signed by this PDA")
        for header in [#"{"alg":"HS256"}"#, #"{"alg":"rs256"}"#, "{}", "x", #"["RS256"]"#] {
            #expect(try problem(try signer.token(payload(), header: header)) == "the token is not signed with RS256")
        }
        let critical = try signer.token(payload(), header: #"{"alg":"RS256","crit":["x"]}"#)
        #expect(try problem(critical) == "the token has critical headers, which are not supported")
        for text in ["", "a.b", "a.b.c.d", "é.é.é", "\(good)=", "\(parts[0]).\(parts[1])", " \(good)"] {
            #expect(try problem(text) == "the token is not a token")
        }
    }

    @Test func whatIsNoKeyIsRefused() {
        for pem in ["", "no key", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----"] {
            #expect(throws: PDAError.self) { try PDAPublicKey(pem: pem) }
        }
    }

    /// A page, an object or a text that is no key.
    @Test func aPDAThatGivesNoKeyIsAnError() async throws {
        let text = ["Content-Type": "text/plain"]
        let sending = ScriptedSending(.answer(200, "<html>"), .answer(200, "{}"), .answer(200, "no key", text))
        let client = PDA("pda.example.net", tokens: InMemoryTokens(), transport: sending)
        var codes: [PDAError.Code?] = []
        for _ in 0..<3 { codes.append(await pdaError { _ = try await client.verify(Secret("x")) }?.code) }
        #expect(codes == [.html, .undecodable, .undecodable])
    }
}
