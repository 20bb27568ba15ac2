internal import Cryptography
internal import Foundation
internal import PDAWire
internal import PlugCore

/// The RSA key that signs this PDA's tokens. Created at the first start, stored as PEM (0600) in the state folder.
struct SigningKey: Sendable {
    private let key: RSAPrivateKey

    init(in folder: SandboxFolder) throws {
        if let kept = try folder.read("signing-key.pem") {
            guard let key = RSAPrivateKey(pem: String(decoding: kept, as: UTF8.self)) else {
                throw PlugError(
                    .sandboxKey,
                    "'\(folder.file("signing-key.pem"))' is not an RSA key in PEM form",
                    advice: "restore the file; if you remove it, all tokens of this sandbox become invalid"
                )
            }
            self.key = key
        } else {
            key = RSAPrivateKey()
            try folder.write(Array(key.pem.utf8), to: "signing-key.pem")
        }
    }

    /// `-----BEGIN PUBLIC KEY-----…`, a SubjectPublicKeyInfo. Without a trailing line feed, as always: clients that store it
    /// compare its bytes.
    var publicPEM: String { key.publicKey.pem.trimmingCharacters(in: .newlines) }

    /// A token with these claims, RS256.
    func token(_ claims: TokenClaims) throws -> String {
        let signed = Self.header + "." + Base64URL.encode(claims.payload)
        return signed + "." + Base64URL.encode(try key.signature(of: Array(signed.utf8)))
    }

    /// The claims of a token that this key signed with RS256, else `nil`. The header cannot choose another algorithm.
    func claims(of token: String) -> TokenClaims? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == Self.header, let signature = Base64URL.decode(parts[2]) else { return nil }
        let isOurs = key.publicKey.isSignature(signature, of: Array("\(parts[0]).\(parts[1])".utf8))
        return isOurs ? TokenClaims(token: token) : nil
    }

    /// Every token of this PDA has the same header, so that a foreign one is recognised by its bytes.
    private static let header = Base64URL.encode(Array(#"{"alg":"RS256","typ":"JWT"}"#.utf8))
}
