package import CurlTransport
internal import OAuth
package import PlugCore
package import PlugStorage

/// Logins at PDAs that wait for their answer, each in the browser that it was begun in: nobody can bring a person to connect a PDA
/// that is not theirs.
package struct PDALogins: Sendable {
    private let store: any ConsentStore
    private let verifier: PDATokenVerifier
    private let policy: NetworkPolicy
    private let clock: any HostClock

    /// - Parameters:
    ///   - store: Where it is remembered who was sent where.
    ///   - verifier: Verifies what they come back with.
    ///   - policy: Where PDAs may be reached without encryption.
    package init(
        _ store: any ConsentStore,
        _ verifier: PDATokenVerifier,
        policy: NetworkPolicy,
        clock: any HostClock
    ) {
        (self.store, self.verifier, self.policy, self.clock) = (store, verifier, policy, clock)
    }

    /// Begins a login.
    ///
    /// - Parameters:
    ///   - typed: What the person calls their PDA.
    ///   - session: The browser.
    ///   - redirect: The address to come back to with a token; it holds the state, best in its path.
    ///   - fallback: The address to come back to without one.
    /// - Returns: The address that the browser is sent to.
    /// - Throws: `PlugError` `pda-name`, `consents-full`.
    package func begin(
        at typed: String,
        plug: String,
        in session: BrowserSession,
        redirect: (_ state: Secret) -> String,
        fallback: String
    ) async throws -> String {
        let state = ConsentName.make()
        let login = try PDALogin(at: typed, plug: plug, redirect: redirect(state), fallback: fallback, policy: policy)
        let consent = StoredConsent(
            name: ConsentName.hash(state),
            session: session.hash,
            connection: nil,
            endsAt: clock.now() + Int64(SourceConnecting.patience / .microseconds(1)),
            content: WaitingConsent.login(pda: login.pda, plug: plug).content
        )
        try await store.keepConsent(consent)
        return login.address
    }

    /// Reads what the browser came back with.
    ///
    /// - Parameters:
    ///   - query: The query of the address, with the PDA's `token`.
    ///   - state: What `redirect` was given.
    /// - Throws: `PlugError` `consent-foreign`, `consent-used`, `consent-expired`, `pda-login-answer`, `pda-token-…`, `pda-key-…`.
    package func answer(_ query: String, state: Secret, in session: BrowserSession) async throws -> VerifiedPDAToken {
        let taken = try await store.takeConsent(ConsentName.hash(state), session: session.hash)
        switch taken {
        case .taken(let consent):
            guard case .login(let pda, let plug) = WaitingConsent(consent.content) else {
                throw ConsentFailure(.foreign).hostError()
            }
            return try await verifier.verify(try PDALogin.token(in: query), plug: plug, of: pda)
        case .used: throw ConsentFailure(.used).hostError()
        case .late: throw ConsentFailure(.late).hostError()
        case .foreign: throw ConsentFailure(.foreign).hostError()
        }
    }
}
