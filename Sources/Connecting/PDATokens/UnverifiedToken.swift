internal import CurlTransport
internal import LosslessJSON
internal import PDAWire
internal import PlugCore

/// The claims of a PDA's token before they are verified: all that can be refused without asking the PDA.
struct UnverifiedToken: Sendable {
    let claims: TokenClaims
    /// The `sub`, which every such token has.
    let subject: String
    /// The PDA's address, with a guessed scheme.
    let pda: HTTPURL
    /// The signed part.
    let signed: [UInt8]
    let signature: [UInt8]

    /// A PDA's own tokens have about 900 bytes.
    private static let longest = 8 << 10
    private static let clockSlackSeconds: Int64 = 300

    /// Parses a token.
    ///
    /// - Parameters:
    ///   - plug: The application that it must be for.
    ///   - now: Seconds since 1970.
    init(_ token: Secret, plug: String, now: Int64) throws(PlugError) {
        let text = token.reveal()
        guard text.utf8.count <= Self.longest else {
            throw Self.error(.pdaTokenMalformed, "is longer than \(Self.longest) bytes")
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { throw Self.error(.pdaTokenMalformed, "does not have the form of one") }
        try Self.check(header)
        guard let claims = TokenClaims(payload: payload), let subject = claims.subject, !subject.isEmpty else {
            throw Self.error(.pdaTokenMalformed, "has no iss, no sub or no iat")
        }
        pda = try Self.address(claims.issuer)
        guard claims.application == plug, claims.scope == nil else {
            throw Self.error(.pdaTokenApplication, "is not for the application '\(plug)'")
        }
        guard let expires = claims.expires else { throw Self.error(.pdaTokenExpired, "has no expiry time") }
        guard expires > now else { throw Self.error(.pdaTokenExpired, "has expired") }
        guard claims.issuedAt <= now + Self.clockSlackSeconds else {
            throw Self.error(.pdaTokenEarly, "was made in the future")
        }
        guard !claims.isIdle(at: now) else { throw Self.error(.pdaTokenIdle, "was not used for three days") }
        self.claims = claims
        self.subject = subject
        self.signature = signature
        signed = Array(text.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
    }

    /// The address that an `iss` names.
    static func address(_ issuer: String) throws(PlugError) -> HTTPURL {
        let name = issuer.lowercased()
        // hostAndPort includes an explicit port even if it is the default.
        guard name.utf8.count <= 260, let url = try? HTTPURL("https://\(name)"), url.path == "/", url.query == nil,
            name == url.hostAndPort || name == url.host
        else { throw error(.pdaTokenIssuer, "does not name its PDA by a host name") }
        return url
    }

    private static func check(_ header: [UInt8]) throws(PlugError) {
        let limits = JSONLimits(depth: 4, bytes: 4096)
        guard let header = try? JSONValue(parsing: header, limits: limits), header.object != nil else {
            throw error(.pdaTokenMalformed, "has no readable header")
        }
        guard header["alg"]?.stringText == "RS256" else {
            throw error(.pdaTokenAlgorithm, "is not signed with RS256")
        }
        guard header["crit"] == nil, header["typ"].map({ $0.stringText?.lowercased() == "jwt" }) ?? true else {
            throw error(.pdaTokenAlgorithm, "is not a plain JWT")
        }
    }

    static func error(_ code: PlugError.Code, _ problem: String) -> PlugError {
        PlugError(code, "the PDA's token \(problem)", advice: "log in at the PDA again, from the plug's page")
    }
}
