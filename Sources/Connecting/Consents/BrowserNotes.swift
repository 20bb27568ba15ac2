internal import OAuth
package import PlugCore
package import PlugStorage

/// What a browser is told later, on another page: it leaves addresses that receive codes and tokens at once, and the outcome is
/// kept here meanwhile. Each note is found by an unguessable text, in the browser it is for.
package struct BrowserNotes: Sendable {
    private let store: any ConsentStore
    private let clock: any HostClock

    /// Notes in a store.
    package init(_ store: any ConsentStore, clock: any HostClock) { (self.store, self.clock) = (store, clock) }

    // MARK: Ends

    /// Keeps the outcome of connecting something.
    ///
    /// - Returns: The text that finds it.
    package func keep(_ end: ConsentEnd, for session: BrowserSession) async throws -> Secret {
        try await keep(.ended(end), for: session)
    }

    /// The outcome of connecting something; `nil` if this browser has no such note, or no longer.
    package func end(_ id: Secret, for session: BrowserSession) async throws -> ConsentEnd? {
        if case .ended(let end) = try await content(id, session) { end } else { nil }
    }

    // MARK: Tokens that PDAs bring by themselves

    /// Keeps a token until the person has confirmed that this PDA is theirs: anyone can lead a browser here with a token of their
    /// own PDA.
    ///
    /// - Returns: The text that finds it.
    package func keep(
        _ token: VerifiedPDAToken,
        plug: String,
        for session: BrowserSession
    ) async throws -> Secret {
        try await keep(.arrival(token, plug: plug), for: session)
    }

    /// The PDA that brought a token, and the plug it is for; `nil` if this browser has no such note, or no longer.
    package func arrival(_ id: Secret, for session: BrowserSession) async throws -> (pda: String, plug: String)? {
        guard case .arrival(let token, let plug) = try await content(id, session) else { return nil }
        return (token.pda, plug)
    }

    /// Takes a token, once.
    ///
    /// - Throws: `PlugError` `consent-foreign`, `consent-used`, `consent-expired`.
    package func take(_ id: Secret, for session: BrowserSession) async throws -> (VerifiedPDAToken, plug: String) {
        switch try await store.takeConsent(ConsentName.hash(id), session: session.hash) {
        case .taken(let consent):
            guard case .arrival(let token, let plug) = WaitingConsent(consent.content) else {
                throw ConsentFailure(.foreign).hostError()
            }
            return (token, plug)
        case .used: throw ConsentFailure(.used).hostError()
        case .late: throw ConsentFailure(.late).hostError()
        case .foreign: throw ConsentFailure(.foreign).hostError()
        }
    }

    // MARK: Parts

    private func keep(_ content: WaitingConsent, for session: BrowserSession) async throws -> Secret {
        let id = ConsentName.make()
        let note = StoredConsent(
            name: ConsentName.hash(id),
            session: session.hash,
            connection: nil,
            endsAt: clock.now() + SourceConnecting.patience.wholeMicroseconds,
            content: content.content
        )
        try await store.keepConsent(note)
        return id
    }

    private func content(_ id: Secret, _ session: BrowserSession) async throws -> WaitingConsent? {
        guard let note = try await store.consent(ConsentName.hash(id)), note.session == session.hash else { return nil }
        return WaitingConsent(note.content)
    }
}
