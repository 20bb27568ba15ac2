import Cryptography
import Testing

struct RSATests {
    /// RFC 7515, A.2: the signing input and its signature.
    private let message = Array(
        """
        eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ
        """.utf8
    )
    private let signature = bytes(
        """
        702e218943e88fd11eb5d82dbf7845f34106ae1b81fff7731116add1717d8365\
        6d420afd3c96eedd73a2663e5166687b000b87226e0187ed1073f945e582adfc\
        ef16d85a798ee8c66ddb3db8975b17d09402beedd5d9d97007108db28160d5f8\
        040ca7445762b81fbe7ff9d92e0ae76f24f25b33bbe6f44ae61eb1040acb2004\
        4d3ef9128ed40130795bd4bd3b41eecad066ab651981fde48df77f372dc38b9f\
        afdd3befb18b5da3cc3c2eb02f9e3a41d612caad15911273a05f23b9e838faaf\
        849d698429ef5a1e88798236c3d40e604522a544c8f27a7a2db80663d16cf7ca\
        ea56de405cb2215a45b2c25566b55ac1a748a070dfc8a32a469543d019eefb47
        """
    )

    @Test(arguments: [Keys.pkcs1, Keys.pkcs8]) func theStandardsExample(_ pem: String) throws {
        let key = try #require(RSAPrivateKey(pem: pem))
        #expect(try key.signature(of: message) == signature)
        #expect(key.pem == Keys.pkcs8)
        #expect(key.publicKey.pem == Keys.spki)
        let publicKey = try #require(RSAPublicKey(pem: Keys.spki))
        #expect(publicKey.pem == Keys.spki)
        #expect(publicKey.isSignature(signature, of: message))
    }

    @Test func anythingElseIsNoSignature() throws {
        let key = try #require(RSAPublicKey(pem: Keys.spki))
        for bit in stride(from: 0, to: signature.count * 8, by: 7) {
            var changed = signature
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!key.isSignature(changed, of: message), "bit \(bit)")
        }
        for other in [[], Array(signature.dropLast()), signature + [0], [0] + signature, signature.reversed()] {
            #expect(!key.isSignature(other, of: message))
        }
        #expect(!key.isSignature(signature, of: message + [0]))
        #expect(!key.isSignature(signature, of: []))
        #expect(!RSAPrivateKey().publicKey.isSignature(signature, of: message))
    }

    @Test func aNewKeyIsReadBack() throws {
        let key = RSAPrivateKey()
        let again = try #require(RSAPrivateKey(pem: key.pem))
        let published = try #require(RSAPublicKey(pem: key.publicKey.pem))
        #expect(try published.isSignature(again.signature(of: [1, 2]), of: [1, 2]))
        #expect(try key.signature(of: []).count == 256)
        #expect(RSAPrivateKey().pem != key.pem)
    }

    @Test(arguments: [
        "", "x", "-----BEGIN PUBLIC KEY-----\n", Keys.short, Keys.curve, Keys.exponentOne, Keys.longExponent,
        Keys.evenModulus, String(Keys.spki.dropFirst(40)), Keys.spki.replacing("MIIB", with: "MIIC"),
    ])
    func whatIsNoUsablePublicKeyIsNotTaken(_ pem: String) { #expect(RSAPublicKey(pem: pem) == nil) }

    @Test(arguments: ["", "x", Keys.spki, Keys.encrypted, Keys.unfitting, String(Keys.pkcs1.prefix(1_000))])
    func whatIsNoUsablePrivateKeyIsNotTaken(_ pem: String) { #expect(RSAPrivateKey(pem: pem) == nil) }

    @Test func manyThreadsUseOneKey() async throws {
        let key = try #require(RSAPrivateKey(pem: Keys.pkcs8))
        try await withThrowingTaskGroup { group in
            for number in 0..<16 {
                group.addTask {
                    let message = [UInt8(number)]
                    return try key.publicKey.isSignature(key.signature(of: message), of: message)
                }
            }
            for try await isSignature in group { #expect(isSignature) }
        }
    }
}
