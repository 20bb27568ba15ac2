import Crypto
import CryptoExtras
import Foundation
import PDAWire
import PlugCore

/// A key like a PDA's, and tokens that it signs.
struct TestKey {
    static let shared = try? TestKey()

    private let key: _RSA.Signing.PrivateKey

    init() throws { key = try _RSA.Signing.PrivateKey(keySize: .bits2048) }

    var pem: String { key.publicKey.pemRepresentation }

    func token(_ payload: String, header: String = #"{"alg":"RS256","typ":"JWT"}"#) throws -> String {
        let signed = "\(Base64URL.encode(Array(header.utf8))).\(Base64URL.encode(Array(payload.utf8)))"
        let signature = try key.signature(for: SHA256.hash(data: Data(signed.utf8)), padding: .insecurePKCS1v1_5)
        return "\(signed).\(Base64URL.encode(signature.rawRepresentation))"
    }
}

/// A token in form, signed by nobody.
func unsigned(_ identifier: String?, issuedAt: Int64) -> Secret {
    let claims = TokenClaims(
        issuer: "pda.example.net",
        subject: nil,
        identifier: identifier,
        issuedAt: issuedAt,
        expires: nil
    )
    return Secret("e30.\(Base64URL.encode(claims.payload)).c2ln")
}
