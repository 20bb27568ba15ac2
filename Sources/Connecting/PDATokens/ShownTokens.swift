internal import PDAWire
package import PlugCore
package import PlugStorage

/// Tells whose the tokens are that PDAs show.
///
/// Anybody can show something. So nobody is asked for anything, unless the token is for a plug that has a connection here to the
/// PDA that it names, and of the same person: only then may the PDA's key be asked for, where it is not known yet.
package struct ShownTokens: Sendable {
    private let store: any PlugStore
    private let verifier: PDATokenVerifier
    private let clock: any HostClock

    /// - Parameters:
    ///   - store: The connections that there are.
    ///   - verifier: Knows PDAs' keys.
    package init(_ store: any PlugStore, _ verifier: PDATokenVerifier, clock: any HostClock) {
        self.store = store
        self.verifier = verifier
        self.clock = clock
    }

    /// A token that is good, with the plug that it is for and the connections that it belongs to.
    package struct Shown: Sendable {
        /// The token.
        package let token: VerifiedPDAToken
        /// The plug.
        package let plug: String
        /// The connections of this person to the plug: one at least.
        package let connections: [Connection]
    }

    /// Verifies a token.
    ///
    /// - Parameters:
    ///   - plug: The plug that it has to be for; `nil` for the one that it names.
    ///   - onlyNew: Whether connections that have a newer one do not count.
    ///   - limit: How long the PDA may take to give its key.
    /// - Returns: `nil` where it is not good, its connection is unknown, or its PDA does not answer.
    /// - Throws: What the store throws; `CancellationError`.
    package func verified(
        _ token: Secret,
        plug: String?,
        onlyNew: Bool = false,
        within limit: Duration = .seconds(5)
    ) async throws -> Shown? {
        guard let plug = plug ?? TokenClaims(token: token.reveal())?.application,
            let unverified = try? UnverifiedToken(token, plug: plug, now: clock.now() / 1_000_000)
        else { return nil }
        for origin in unverified.origins {
            var fitting: [Connection] = []
            for connection in try await store.connections(of: plug, at: origin) {
                guard let kept = try await store.keptToken(of: connection.id),
                    !onlyNew || kept.issuedAt <= unverified.claims.issuedAt,
                    TokenClaims(token: kept.token.reveal())?.subject == unverified.subject
                else { continue }
                fitting.append(connection)
            }
            if fitting.isEmpty { continue }
            do {
                let verified = try await verifier.verify(token, plug: plug, of: origin, within: limit)
                return Shown(token: verified, plug: plug, connections: fitting)
            } catch is PlugError { return nil }
        }
        return nil
    }
}
