internal import CurlTransport
internal import PDAWire
internal import PlugCore

/// Checks a token before the first request. Its claims are read but not verified: that is up to the PDA.
enum TokenCheck {
    /// Checks the claims.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - pda: The PDA's origin.
    ///   - now: Microseconds since 1970.
    /// - Returns: Warnings if the issuer is not the PDA, or the token belongs to no application.
    /// - Throws: `PlugError` (exit 77) for a malformed or expired token, or one issued over three days ago.
    static func check(_ token: Secret, pda: String, now: Int64) throws(PlugError) -> [Diagnostic] {
        let renew = "write a new application token into the token file"
        guard let claims = TokenClaims(token: token.reveal()) else {
            throw PlugError(
                .tokenMalformed,
                "the token is not a JSON Web Token with 'iss' and 'iat'",
                advice: renew
            )
        }
        let seconds = now / 1_000_000
        if claims.isExpired(at: seconds) {
            let moment = Timestamp(seconds: claims.expires ?? 0).rfc3339
            throw PlugError(.tokenExpired, "the token expired at \(moment)", advice: renew)
        }
        if claims.isIdle(at: seconds) {
            let moment = Timestamp(seconds: claims.issuedAt).rfc3339
            throw PlugError(
                .tokenIdle,
                "the token was issued at \(moment), and a PDA refuses tokens older than three days",
                advice: renew
            )
        }
        return warnings(claims, pda)
    }

    private static func warnings(_ claims: TokenClaims, _ pda: String) -> [Diagnostic] {
        var warnings: [Diagnostic] = []
        if let host = otherHost(than: claims.issuer, pda) {
            let issuer = DisplayText.escaped(claims.issuer)
            warnings.append(
                Diagnostic(.warning, .tokenIssuer, "the token was issued by \(issuer), not by the PDA \(host)")
            )
        }
        if claims.application == nil {
            warnings.append(
                Diagnostic(
                    .warning,
                    .tokenApplication,
                    "the token belongs to no application, so it may allow more than writing",
                    help: "set the plug up in the PDA and use its application token"
                )
            )
        }
        return warnings
    }

    /// The PDA's host if it differs from the token's issuer.
    private static func otherHost(than issuer: String, _ pda: String) -> String? {
        // The usual case, which does not require parsing the address.
        if pda.hasSuffix("://\(issuer)") { return nil }
        let host = (try? HTTPURL(pda))?.hostAndPort ?? pda
        let bare = host.split(separator: ":").first.map(String.init) ?? host
        return [host, bare].contains { issuer.lowercased() == $0.lowercased() } ? nil : host
    }
}
