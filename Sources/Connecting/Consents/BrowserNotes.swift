internal import OAuth
package import PlugCore
package import PlugStorage

/// What a browser is told later, on another page: addresses that codes and tokens come to are left at once, and what has come of
/// them is kept here meanwhile. Each is found by a text that nobody can guess, in the browser that it is for.
package struct BrowserNotes: Sendable {
    private let store: any ConsentStore
    private let clock: any HostClock

    /// Notes in a store.
    package init(_ store: any ConsentStore, clock: any HostClock) { (self.store, self.clock) = (store, clock) }

    // MARK: Ends

    /// Keeps what has come of connecting something.
    ///
    /// - Returns: What finds it.
    package func keep(_ end: ConsentEnd, for session: BrowserSession) async throws -> Secret {
        try await keep(.ended(end), for: session)
    }

    /// What has come of connecting something; `nil` where this browser has nothing of the kind, or no longer.
    package func end(_ id: Secret, for session: BrowserSession) async throws -> ConsentEnd? {
        if case .ended(let end) = try await content(id, session) { end } else { nil }
    }

    // MARK: Tokens that PDAs bring by themselves

    /// Keeps a token until its person has agreed that this PDA is theirs: anybody can lead a browser here with a token of a PDA of
    /// their own.
    ///
    /// - Returns: What finds it.
    package func keep(
        _ token: VerifiedPDAToken,
        plug: String,
        for session: BrowserSession
    ) async throws -> Secret {
        try await keep(.arrival(token, plug: plug), for: session)
    }

    /// Which PDA has brought a token, and for which plug; `nil` where this browser has none of the kind, or no longer.
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
            endsAt: clock.now() + Int64(SourceConnecting.patience / .microseconds(1)),
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
