import Cryptography
import Testing

struct ECTests {
    /// RFC 7515, A.3: the signing input.
    private let message = Array(
        """
        eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ
        """.utf8
    )
    @Test(arguments: [CurveKeys.sec1, CurveKeys.pkcs8]) func bothFormsOfAKeyAreRead(_ pem: String) throws {
        let key = try #require(ECPrivateKey(pem: pem))
        #expect(key.pem == CurveKeys.pkcs8)
        #expect(key.publicKey.pem == CurveKeys.spki)
        let signature = try key.signature(of: message)
        #expect(signature.count == 64)
        #expect(try #require(ECPublicKey(pem: CurveKeys.spki)).isSignature(signature, of: message))
    }

    @Test func theStandardsSignatureIsTheKeysAndNoOtherIs() throws {
        let key = try #require(ECPublicKey(pem: CurveKeys.spki))
        #expect(key.isSignature(CurveKeys.signature, of: message))
        for bit in stride(from: 0, to: CurveKeys.signature.count * 8, by: 7) {
            var changed = CurveKeys.signature
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!key.isSignature(changed, of: message), "bit \(bit)")
        }
        for other in [
            [], Array(CurveKeys.signature.dropLast()), CurveKeys.signature + [0], [UInt8](repeating: 0, count: 64),
        ] {
            #expect(!key.isSignature(other, of: message))
        }
        #expect(!key.isSignature(CurveKeys.signature, of: message + [0]))
        #expect(!ECPrivateKey().publicKey.isSignature(CurveKeys.signature, of: message))
    }

    @Test func aNewKeyIsReadBackAndSignsDifferentlyEachTime() throws {
        let key = ECPrivateKey()
        let again = try #require(ECPrivateKey(pem: key.pem))
        let signatures = try (0..<200).map { _ in try again.signature(of: [1, 2]) }
        // Some of two hundred numbers begin with a zero byte, which DER leaves out.
        #expect(signatures.allSatisfy { $0.count == 64 && key.publicKey.isSignature($0, of: [1, 2]) })
        #expect(Set(signatures).count == 200)
        #expect(ECPrivateKey().pem != key.pem)
    }

    @Test(arguments: ["", "x", Keys.pkcs8, CurveKeys.spki, CurveKeys.otherCurve, String(CurveKeys.pkcs8.prefix(120))])
    func whatIsNoPrivateKeyOnTheCurveIsNotTaken(_ pem: String) { #expect(ECPrivateKey(pem: pem) == nil) }

    @Test(arguments: ["", "x", Keys.spki, CurveKeys.pkcs8, CurveKeys.spki.replacing("AEf83O", with: "AEf83P")])
    func whatIsNoPublicKeyOnTheCurveIsNotTaken(_ pem: String) { #expect(ECPublicKey(pem: pem) == nil) }

    @Test(arguments: [CurveKeys.sec1, CurveKeys.pkcs8]) func aCurvesKeyIsNoRSAKey(_ pem: String) {
        #expect(RSAPrivateKey(pem: pem) == nil)
    }
}
