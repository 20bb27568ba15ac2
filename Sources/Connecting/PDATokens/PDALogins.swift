package import CurlTransport
internal import OAuth
package import PlugCore
package import PlugStorage

/// Logins at PDAs that await their answer, each in the browser in which it was begun: no one can trick a person into connecting a
/// PDA that is not theirs.
package struct PDALogins: Sendable {
    private let store: any ConsentStore
    private let verifier: PDATokenVerifier
    private let policy: NetworkPolicy
    private let clock: any HostClock

    /// - Parameters:
    ///   - store: Keeps who was sent where.
    ///   - verifier: Verifies the tokens that come back.
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
    ///   - typed: The PDA as the person names it.
    ///   - session: The browser.
    ///   - redirect: The return address with a token; it contains the state, preferably in its path.
    ///   - fallback: The return address without one.
    /// - Returns: The address that the browser is sent to.
    /// - Throws: `PlugError` `pda-name`, `pda-key-…` if there is no PDA, `consents-full`.
    package func begin(
        at typed: String,
        plug: String,
        in session: BrowserSession,
        redirect: (_ state: Secret) -> String,
        fallback: String
    ) async throws -> String {
        let state = ConsentName.make()
        let login = try PDALogin(at: typed, plug: plug, redirect: redirect(state), fallback: fallback, policy: policy)
        try await verifier.greet(login.pda)
        let consent = StoredConsent(
            name: ConsentName.hash(state),
            session: session.hash,
            connection: nil,
            endsAt: clock.now() + SourceConnecting.patience.wholeMicroseconds,
            content: WaitingConsent.login(pda: login.pda, plug: plug).content
        )
        try await store.keepConsent(consent)
        return login.address
    }

    /// Reads the query with which the browser came back.
    ///
    /// - Parameters:
    ///   - query: The query of the address, with the PDA's `token`.
    ///   - state: The state that `redirect` was given.
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
