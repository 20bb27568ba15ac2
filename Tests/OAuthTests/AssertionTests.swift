import Cryptography
import LosslessJSON
import PlugCore
import Testing

@testable import OAuth

struct AssertionTests {
    /// RFC 7515, A.1: the signing input, and the key that its signature is made with.
    private let input = """
        eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ
        """

    @Test func theStandardsSignatureWithASharedSecret() throws {
        let secret = try #require(
            Base64URL.decode("AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow")
        )
        let code = HMAC.code(for: Array(input.utf8), key: SecretBytes(secret))
        #expect(Base64URL.encode(code) == "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    }

    /// The three parts of an assertion, the first two read.
    private func parts(_ assertion: Secret) throws -> (header: JSONValue, claims: JSONValue, input: [UInt8], [UInt8]) {
        let parts = assertion.reveal().split(separator: ".", omittingEmptySubsequences: false)
        try #require(parts.count == 3)
        let header = try JSONValue(parsing: try #require(Base64URL.decode(parts[0])))
        let claims = try JSONValue(parsing: try #require(Base64URL.decode(parts[1])))
        return (header, claims, Array("\(parts[0]).\(parts[1])".utf8), try #require(Base64URL.decode(parts[2])))
    }

    @Test func anAssertionSaysWhatTheManifestSaysAndWhenItEnds() throws {
        let claims: JSONObject = [
            "iss": .text("me@example.org"), "aud": .text("https://id.example.org/token"), "n": .integer(1),
        ]
        let assertion = JWTAssertion(
            header: ["kid": .text("k1"), "alg": .text("none")],
            claims: claims,
            lifetime: .seconds(600)
        )
        let key = try AssertionKey(.hs256, Secret("shared"))
        let parts = try parts(assertion.signed(with: key, now: now))
        #expect(parts.header.compactText == #"{"alg":"HS256","typ":"JWT","kid":"k1"}"#)
        var told = try #require(parts.claims.object)
        let id = told["jti"]?.stringText
        told["jti"] = nil
        #expect(
            JSONValue.object(told).compactText == """
                {"iss":"me@example.org","aud":"https://id.example.org/token","n":1,"iat":1795000000,"exp":1795000600}
                """
        )
        #expect(id?.utf8.count == 22)
        #expect(parts.3 == HMAC.code(for: parts.input, key: SecretBytes(Array("shared".utf8))))
        let signed = try (0..<2).map { _ in try assertion.signed(with: key, now: now) }
        #expect(signed[0] != signed[1])
    }

    @Test func theManifestsOwnTimesStay() throws {
        let claims: JSONObject = ["iat": .integer(1), "exp": .integer(2), "jti": .text("x")]
        let assertion = JWTAssertion(claims: claims, lifetime: .seconds(600))
        let parts = try parts(assertion.signed(with: AssertionKey(.hs256, Secret("s")), now: now))
        #expect(parts.claims.compactText == #"{"iat":1,"exp":2,"jti":"x"}"#)
    }

    @Test func keysSignAsTheirAlgorithmDoes() throws {
        let assertion = JWTAssertion(claims: [:], lifetime: .seconds(60))
        let rsa = RSAPrivateKey()
        let signed = try parts(assertion.signed(with: AssertionKey(.rs256, Secret(rsa.pem)), now: now))
        #expect(rsa.publicKey.isSignature(signed.3, of: signed.input))
        let curve = ECPrivateKey()
        let other = try parts(assertion.signed(with: AssertionKey(.es256, Secret(curve.pem)), now: now))
        #expect(curve.publicKey.isSignature(other.3, of: other.input))
        // As it stands in the JSON files that services give out, once those are copied into something else.
        let flat = curve.pem.replacing("\n", with: "\\n")
        #expect(throws: Never.self) { try AssertionKey(.es256, Secret(flat)) }
    }

    @Test func aKeyOfAnotherKindIsRefusedWithoutBeingQuoted() {
        let curve = ECPrivateKey().pem
        let rsa = RSAPrivateKey().pem
        for (algorithm, text) in [
            (SigningAlgorithm.rs256, curve), (.es256, rsa), (.rs256, "secret"), (.es256, ""), (.hs256, ""),
        ] {
            let error = #expect(throws: AssertionKey.Refused.self) { try AssertionKey(algorithm, Secret(text)) }
            #expect(error?.description.contains("secret") == false)
        }
    }
}
