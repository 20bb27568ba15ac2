internal import CurlTransport
internal import PDAWire
internal import PlugCore

/// Checks a token before the first request. Its claims are read but not verified: that is up to the PDA.
///
/// A token goes only to the PDA that issued it, and only a plug's own token is taken: whoever gets another one could write and
/// delete in the person's PDA, or read all of it with an owner's.
struct TokenCheck {
    /// The plug: the application that the token must be for.
    let plug: String
    /// The PDA's origin.
    let pda: String
    /// Whether a token of another PDA or application was accepted explicitly: then it is only warned of.
    let acceptsForeign: Bool
    /// Whether a token of another application of the same PDA is only warned of: it goes to nobody but its issuer, who decides what it
    /// may write. Such a token is not kept, as it would be for a host.
    var takesOtherApplications = false

    /// Checks the claims.
    ///
    /// - Parameters:
    ///   - token: The token.
    ///   - now: Microseconds since 1970.
    /// - Returns: Warnings about an accepted foreign token.
    /// - Throws: `PlugError` (exit 77) for a malformed or expired token, one issued over three days ago, or a foreign one.
    func check(_ token: Secret, now: Int64) throws(PlugError) -> [Diagnostic] {
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
        let problems = [issuerProblem(claims), applicationProblem(claims)].compactMap(\.self)
        let isTaken = acceptsForeign || (takesOtherApplications && isOfAnotherApplication(claims))
        if let problem = problems.first, !isTaken || (problem.code == .tokenIssuer && !acceptsForeign) { throw problem }
        return problems.map { Diagnostic(.warning, $0.code, $0.message) }
    }

    /// Whether it is some application's, but not the plug's.
    private func isOfAnotherApplication(_ claims: TokenClaims) -> Bool {
        claims.scope == nil && claims.application != nil && claims.application != plug
    }

    private func issuerProblem(_ claims: TokenClaims) -> PlugError? {
        if TokenIssuer.names(claims.issuer, pda) { return nil }
        let host = (try? HTTPURL(pda))?.hostAndPort ?? pda
        return PlugError(
            .tokenIssuer,
            "the token was issued by \(DisplayText.escaped(claims.issuer)), not by the PDA \(DisplayText.escaped(host))",
            advice: "check the PDA's address and the token; if this PDA has several names, accept the token explicitly "
                + "('plughost explain token-issuer')"
        )
    }

    private func applicationProblem(_ claims: TokenClaims) -> PlugError? {
        let problem: String
        if claims.scope != nil {
            problem = "the token is an owner's, so it may allow more than writing"
        } else if let application = claims.application {
            if application == plug { return nil }
            problem = "the token was made for the application '\(DisplayText.escaped(application))', not for '\(plug)'"
        } else {
            problem = "the token belongs to no application, so it may allow more than writing"
        }
        return PlugError(
            .tokenApplication,
            problem,
            advice: "set the plug '\(plug)' up in the PDA and use its application token"
        )
    }
}
