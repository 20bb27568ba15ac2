internal import Cryptography
package import CurlTransport
internal import PDAWire
package import PlugCore
package import PlugStorage

/// A token that its PDA has signed for this plug, and still accepts.
package struct VerifiedPDAToken: Sendable, Equatable {
    /// The token.
    package let token: Secret
    /// The PDA's origin, such as `https://ann.hubofallthings.net`.
    package let pda: String
    /// The token's owner, opaque: the same in all tokens of a person at this PDA.
    package let subject: String
    /// When it was created or last used, in seconds since 1970.
    package let issuedAt: Int64
    /// When it finally expires, in seconds since 1970.
    package let expires: Int64

    /// A token that was verified.
    init(token: Secret, pda: String, subject: String, issuedAt: Int64, expires: Int64) {
        (self.token, self.pda, self.subject) = (token, pda, subject)
        (self.issuedAt, self.expires) = (issuedAt, expires)
    }

    /// The stored form.
    package var kept: KeptToken { KeptToken(token: token, issuedAt: issuedAt) }
}

/// Verifies PDAs' tokens with the keys that they publish.
///
/// A PDA's key is fetched under the address guard of the transport's PDA side, kept for an hour, and fetched again if a signature
/// does not match it: a PDA may have a new one. No PDA is asked more than once a minute, however many bad tokens arrive.
package final class PDATokenVerifier: Sendable {
    private let keys: PDAKeys
    private let clock: any HostClock

    /// - Parameters:
    ///   - sender: Carries the requests for keys.
    ///   - policy: What `sender` is allowed: where a PDA may be reached without encryption.
    ///   - clock: Determines the age of tokens and keys.
    package init(_ sender: any HTTPSending, policy: NetworkPolicy, clock: any HostClock) {
        keys = PDAKeys(sender, policy: policy, clock: clock)
        self.clock = clock
    }

    /// Asks a PDA for its key, before a browser is sent to it: a misspelt name is found out here.
    ///
    /// - Parameters:
    ///   - pda: The PDA's origin.
    ///   - limit: How long it may take: a person is waiting.
    /// - Throws: `PlugError` `pda-key-…`; `CancellationError`.
    func greet(_ pda: String, within limit: Duration = .seconds(5)) async throws {
        let url: HTTPURL
        do throws(HTTPError) { url = try HTTPURL(pda) } catch {
            throw UnverifiedToken.error(.pdaName, "has no address")
        }
        do {
            _ = try await keys.key(of: url, knownAs: pda, fitting: { _ in true }, within: limit)
        } catch let error as PlugError {
            let name = DisplayText.escaped(url.host)
            let problem =
                error.code.text == "pda-key-refused"
                ? "may not be reached from this host" : "does not answer as a PDA does"
            let told = PlugError(
                error.code,
                "\(name) \(problem)",
                advice: "check the address; if it is right, try again in a minute"
            )
            throw error.retryAt.map(told.retrying) ?? told
        }
    }

    /// Verifies a token.
    ///
    /// Everything that can be refused without asking the PDA is refused first.
    ///
    /// - Parameters:
    ///   - plug: The plug's id: the application that the token must be for.
    ///   - pda: The PDA's origin if known beforehand, which saves probing for its scheme; another PDA's token is refused.
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
            throw UnverifiedToken.error(.pdaTokenIssuer, "was made by a PDA other than the one that was asked")
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

    /// Whether the token was signed with a key.
    func isSigned(by key: RSAPublicKey) -> Bool { key.isSignature(signature, of: signed) }
}

extension HTTPURL {
    /// The same host and port with another scheme. Without a port, the scheme's default.
    func with(scheme other: String) -> HTTPURL? {
        let isUsual = port == (isSecure ? 443 : 80)
        return try? HTTPURL(isUsual ? "\(other)://\(host)" : "\(other)://\(host):\(port)")
    }
}
