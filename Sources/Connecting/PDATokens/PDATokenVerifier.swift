internal import Cryptography
package import CurlTransport
internal import PDAWire
package import PlugCore
package import PlugStorage

/// A token that its PDA has signed, for this plug, and that the PDA still takes.
package struct VerifiedPDAToken: Sendable, Equatable {
    /// The token.
    package let token: Secret
    /// The PDA's origin, such as `https://ann.hubofallthings.net`.
    package let pda: String
    /// Whose it is, opaque: the same in all tokens of a person at this PDA.
    package let subject: String
    /// When it was made or used last, in seconds since 1970.
    package let issuedAt: Int64
    /// When it ends for good, in seconds since 1970.
    package let expires: Int64

    /// A token that was verified.
    init(token: Secret, pda: String, subject: String, issuedAt: Int64, expires: Int64) {
        (self.token, self.pda, self.subject) = (token, pda, subject)
        (self.issuedAt, self.expires) = (issuedAt, expires)
    }

    /// As a store keeps it.
    package var kept: KeptToken { KeptToken(token: token, issuedAt: issuedAt) }
}

/// Verifies tokens of PDAs with the keys that they publish.
///
/// A PDA's key is asked for under the address guard of the transport's PDA side, kept for an hour, and asked for again where a
/// signature does not fit it: a PDA may have a new one. Nobody is asked more than once a minute, however many bad tokens come.
package final class PDATokenVerifier: Sendable {
    private let keys: PDAKeys
    private let clock: any HostClock

    /// - Parameters:
    ///   - sender: Carries the requests for keys.
    ///   - policy: What `sender` is allowed: where a PDA may be reached without encryption.
    ///   - clock: Says how old tokens and keys are.
    package init(_ sender: any HTTPSending, policy: NetworkPolicy, clock: any HostClock) {
        keys = PDAKeys(sender, policy: policy, clock: clock)
        self.clock = clock
    }

    /// Verifies a token.
    ///
    /// Whatever can be refused without asking the PDA is refused first.
    ///
    /// - Parameters:
    ///   - plug: The plug's id: the application that the token has to be for.
    ///   - pda: The PDA's origin where it is known beforehand, so that nobody has to find out its scheme; another PDA's token is refused.
    ///   - limit: How long the PDA may take.
    /// - Throws: `PlugError` `pda-token-…`, `pda-key-…`; `CancellationError`.
    package func verify(
        _ token: Secret,
        plug: String,
        of pda: String? = nil,
        within limit: Duration = .seconds(10)
    ) async throws -> VerifiedPDAToken {
        let unverified = try UnverifiedToken(token, plug: plug, now: clock.now() / 1_000_000)
        if let pda, !unverified.origins.contains(pda) {
            throw UnverifiedToken.error(.pdaTokenIssuer, "was made by another PDA than the one that was asked")
        }
        let found = try await keys.key(of: unverified.pda, knownAs: pda, fitting: unverified.isSigned, within: limit)
        guard unverified.isSigned(by: found.key), let expires = unverified.claims.expires else {
            throw UnverifiedToken.error(.pdaTokenSignature, "is not signed by the PDA that it names")
        }
        return VerifiedPDAToken(
            token: token,
            pda: found.origin,
            subject: unverified.subject,
            issuedAt: unverified.claims.issuedAt,
            expires: expires
        )
    }
}

extension UnverifiedToken {
    /// The origins that the PDA may have.
    var origins: [String] { ["https", "http"].compactMap { pda.with(scheme: $0)?.origin } }

    /// Whether a key's owner has signed it.
    func isSigned(by key: RSAPublicKey) -> Bool { key.isSignature(signature, of: signed) }
}

extension HTTPURL {
    /// The same host and port with another scheme. Without a port that is the scheme's own.
    func with(scheme other: String) -> HTTPURL? {
        let isUsual = port == (isSecure ? 443 : 80)
        return try? HTTPURL(isUsual ? "\(other)://\(host)" : "\(other)://\(host):\(port)")
    }
}
