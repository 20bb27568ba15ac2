import Cryptography
import Foundation
import PDAWire
import PlugCore

/// A key like a PDA's, and tokens that it signs.
struct TestKey {
    static let shared = TestKey()

    private let key = RSAPrivateKey()

    var pem: String { key.publicKey.pem }

    func token(_ payload: String, header: String = #"{"alg":"RS256","typ":"JWT"}"#) throws -> String {
        let signed = "\(Base64URL.encode(Array(header.utf8))).\(Base64URL.encode(Array(payload.utf8)))"
        return "\(signed).\(Base64URL.encode(try key.signature(of: Array(signed.utf8))))"
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
