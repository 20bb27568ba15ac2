internal import PDAWire
package import PlugCore
package import PlugStorage

/// Determines the owners of tokens that PDAs show.
///
/// Anyone can show a token. So no server is contacted, unless the token is for a plug that has a connection here to the PDA that
/// it names, for the same person: only then may the PDA's key be fetched if it is not known yet.
package struct ShownTokens: Sendable {
    private let store: any PlugStore
    private let verifier: PDATokenVerifier
    private let clock: any HostClock

    /// - Parameters:
    ///   - store: The existing connections.
    ///   - verifier: Holds PDAs' keys.
    package init(_ store: any PlugStore, _ verifier: PDATokenVerifier, clock: any HostClock) {
        self.store = store
        self.verifier = verifier
        self.clock = clock
    }

    /// A valid token, with its plug and the connections it belongs to.
    package struct Shown: Sendable {
        /// The token.
        package let token: VerifiedPDAToken
        /// The plug.
        package let plug: String
        /// This person's connections to the plug: at least one.
        package let connections: [Connection]
    }

    /// Verifies a token.
    ///
    /// - Parameters:
    ///   - plug: The plug that it must be for; `nil` for the one that it names.
    ///   - onlyNew: Whether to ignore connections that have a newer one.
    ///   - limit: How long the PDA may take to give its key.
    /// - Returns: `nil` if it is not valid, its connection is unknown, or its PDA does not answer.
    /// - Throws: Errors of the store; `CancellationError`.
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
