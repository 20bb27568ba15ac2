internal import Cryptography
internal import Foundation
internal import LosslessJSON
public import PDAWire
public import PlugCore

/// The RSA key of a PDA: verifies that a token is the PDA's.
///
/// A token is accepted if its header says RS256 and contains nothing else that must be understood, the signature is this key's,
/// `iss` is the PDA, `exp` is in the future and `iat` is less than three days old and not in the future (five minutes are
/// allowed for clock skew). Claims are read only after the signature has been verified.
public struct PDAPublicKey: Sendable {
    private let key: RSAPublicKey
    private static let clockSlackSeconds: Int64 = 300

    /// Reads `-----BEGIN PUBLIC KEY-----…`, as `/publickey` gives it.
    ///
    /// - Throws: `PDAError` `undecodable` if it is not an RSA key of 2048 bits or more.
    public init(pem: String) throws(PDAError) {
        guard let key = RSAPublicKey(pem: pem) else {
            throw .undecodable("", "should be an RSA key of 2048 bits or more in PEM form")
        }
        self.key = key
    }

    /// Verifies a token.
    ///
    /// - Parameters:
    ///   - token: Its compact form, three parts separated by dots.
    ///   - issuer: The PDA's domain, with its port if that is not the default. Compared without regard to case.
    ///   - application: The id that it must be for; `nil` for any, including the owner's own.
    ///   - now: Seconds since 1970, `nil` for this machine's clock.
    /// - Throws: `PDAError` `invalid_token`, whose message says what is wrong without quoting the token.
    public func verify(
        _ token: Secret,
        issuer: String,
        application: String? = nil,
        at now: Int64? = nil
    ) throws(PDAError) -> TokenClaims {
        let parts = token.reveal().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { throw Self.invalid("is not a token") }
        try Self.check(header)
        let isSigned = key.isSignature(signature, of: Array("\(parts[0]).\(parts[1])".utf8))
        guard isSigned else { throw Self.invalid("is not signed by this PDA") }
        guard let claims = TokenClaims(payload: payload) else { throw Self.invalid("has no iss or no iat") }
        try Self.check(claims, issuer, application, now ?? SystemClock().now() / 1_000_000)
        return claims
    }

    private static func check(_ header: [UInt8]) throws(PDAError) {
        let limits = JSONLimits(depth: 4, bytes: 4096)
        guard let header = try? JSONValue(parsing: header, limits: limits), header["alg"]?.stringText == "RS256" else {
            throw invalid("is not signed with RS256")
        }
        guard header["crit"] == nil else { throw invalid("has critical headers, which are not supported") }
    }

    private static func check(
        _ claims: TokenClaims,
        _ issuer: String,
        _ application: String?,
        _ now: Int64
    ) throws(PDAError) {
        guard claims.issuer.lowercased() == issuer.lowercased() else {
            throw invalid("was issued by another PDA", "log in at this PDA")
        }
        guard let expires = claims.expires else { throw invalid("has no expiry time") }
        guard expires > now else { throw invalid("has expired") }
        guard claims.issuedAt <= now + clockSlackSeconds else {
            throw invalid("was issued in the future", "check this machine's clock")
        }
        guard !claims.isIdle(at: now) else { throw invalid("was not used for three days") }
        if let application, claims.application != application {
            throw invalid("is for another application", "log in with this application's id")
        }
    }

    private static func invalid(_ problem: String, _ advice: String = "log in again") -> PDAError {
        PDAError(.invalidToken, "the token \(problem)", advice: advice)
    }
}

extension TokenClaims {
    /// Until when the PDA accepts the token unless it is refreshed: the earlier of `exp` and three days after `iat`, in
    /// seconds since 1970.
    public var usableUntil: Int64 { min(expires ?? .max, issuedAt + PDALimit.idleSeconds) }
}
