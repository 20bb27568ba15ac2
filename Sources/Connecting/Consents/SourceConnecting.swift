package import CurlTransport
internal import LosslessJSON
internal import OAuth
package import PlugCore
internal import PlugFetch
internal import PlugManifest
package import PlugStorage
package import Syncing
package import Throttling

/// Connects accounts at sources from a browser.
///
/// Everything begun is stored before the browser leaves, so any process can read the answer; it is answered once, in the browser
/// in which it was begun. A crash between the steps leaves the connection unchanged: the person begins again.
package struct SourceConnecting: Sendable {
    /// How long a consent waits for its answer.
    package static let patience = Duration.seconds(600)
    /// How long a service may take to issue tokens: the person is waiting.
    package var exchangeLimit = Duration.seconds(30)

    /// The person's next step.
    package enum Step: Sendable {
        /// They go to this address, and come back with an answer.
        case browser(HTTPURL)
        /// They type a code on another device; `device` reports its state.
        case device(DeviceProgress)
        /// None: the form's credentials were accepted, or none are needed.
        case connected(ConnectedAccount)
    }

    let store: any PlugStore
    let plugs: HostPlugs
    let throttling: RequestThrottling
    let clock: any HostClock
    let bell: Bell

    /// - Parameters:
    ///   - store: Where everything is kept.
    ///   - plugs: The host's plugs and OAuth clients.
    ///   - throttling: Carries requests to sources.
    ///   - bell: Rung when a connection is due, so that the scheduler looks at once.
    package init(
        _ store: any PlugStore,
        _ plugs: HostPlugs,
        _ throttling: RequestThrottling,
        clock: any HostClock,
        bell: Bell = Bell()
    ) {
        self.bell = bell
        self.store = store
        self.plugs = plugs
        self.throttling = throttling
        self.clock = clock
    }

    // MARK: - Forms

    /// The plug's form; without fields it asks nothing.
    ///
    /// - Throws: `PlugError`, such as what the host lacks (`HostPlugs.Content.check`).
    package func form(of connection: ConnectionID) async throws -> SourceForm {
        let source = try await ConnectionSource(connection, in: store, plugs)
        try plugs.current.check(source.plug)
        return SourceForm(source.plug, answers: source.plan.config)
    }

    /// Takes a form's answers. If no consent is needed they are checked first, and the old ones stay if the new ones are refused.
    ///
    /// - Parameter who: The person who gives them, for the audit log.
    /// - Throws: `SourceForm.Problems`; `PlugError` of the check, such as `source-unauthorised` or `account-other`.
    /// - Returns: The account, or `nil` if the person still has to consent (`begin`).
    package func fill(
        _ given: [(name: String, value: String)],
        of connection: ConnectionID,
        by who: String = "person"
    ) async throws -> ConnectedAccount? {
        let source = try await ConnectionSource(connection, in: store, plugs)
        var plan = source.plan
        plan.config = try SourceForm(source.plug, answers: plan.config).answers(given).get()
        let config = source.config(plan.config)
        let manifest = try source.plug.choosing(config)
        try plugs.current.check(source.plug, config: config, streams: plan.streams)
        var account: ConnectedAccount?
        if manifest.authorization.consent == nil {
            account = try await self.account(manifest, config, source).check()
        }
        var setup = source.setup
        setup.content = plan.content
        let now = clock.now()
        if account != nil, setup.status == .reconnect { (setup.status, setup.dueAt) = (.active, now) }
        let change = AuditEntry(at: now, who: who, what: account == nil ? "answered" : "connected")
        try await store.keepSetup(setup, of: connection, change)
        bell.ring()
        return account
    }

    // MARK: - Consents

    /// Begins to connect a connection's source.
    ///
    /// - Parameters:
    ///   - session: The browser.
    ///   - who: The person, for the audit log.
    ///   - redirectURI: Where the browser comes back to from a provider: a different address for each provider.
    /// - Throws: `PlugError`, such as `client-missing`, `consents-full`, or `token-unreachable` for a device code.
    package func begin(
        _ connection: ConnectionID,
        in session: BrowserSession,
        by who: String = "person",
        redirectURI: (_ provider: String) -> String
    ) async throws -> Step {
        let source = try await ConnectionSource(connection, in: store, plugs)
        let (manifest, settings) = try source.consent()
        let config = source.config(source.plan.config)
        try plugs.current.check(source.plug, config: config, streams: source.plan.streams)
        guard let settings else {
            let account = try await self.account(manifest, config, source).check()
            try await resume(connection, by: who)
            return .connected(account)
        }
        let back = redirectURI(settings.provider)
        let url: HTTPURL
        let consent: StoredConsent
        switch settings {
        case .oauth1(let settings, let described):
            let plan = try self.plan(settings, described, manifest, config, source)
            let pending = try await beginOAuth1(plan, redirectURI: back)
            url = pending.url
            let name = ConsentName.hash(pending.token, at: back)
            // An answer is found only by the token.
            guard try await store.consent(name) == nil else {
                throw TokenFailure(.unusable, "it has given the same temporary credentials before")
                    .hostError(from: plan.host, isOAuth1: true)
            }
            consent = StoredConsent(
                name: name,
                session: session.hash,
                connection: connection,
                endsAt: pending.ends,
                content: WaitingConsent.oauth1(pending, provider: described.provider).content
            )
        case .oauth2(let settings):
            let plan = try self.plan(settings, manifest, config, source)
            if settings.grant == .deviceCode { return .device(try await beginDevice(plan, connection, session)) }
            guard let request = try plan.authorization(redirectURI: back) else {
                throw PlugError(
                    .consentUnanswered,
                    "the manifest has no 'authorize'",
                    advice: "run 'plughost validate'"
                )
            }
            let pending = PendingConsent(request, lifetime: Self.patience, now: clock.now())
            url = pending.url
            consent = StoredConsent(
                name: ConsentName.hash(pending.state),
                session: session.hash,
                connection: connection,
                endsAt: pending.ends,
                content: WaitingConsent.code(pending, provider: settings.provider).content
            )
        }
        try await store.keepConsent(consent)
        return .browser(url)
    }

    /// Reads the answer with which a browser came back, exchanges its code, checks the account and keeps the grant.
    ///
    /// - Parameters:
    ///   - query: The query of the address, as received.
    ///   - redirectURI: The address without its query: that of one provider.
    ///   - session: The browser.
    /// - Throws: `PlugError` `consent-…`, `token-…`, `account-other` or the check's error; nothing was changed.
    package func answer(
        _ query: String,
        at redirectURI: String,
        in session: BrowserSession,
        by who: String = "person"
    ) async throws -> ConnectedAccount {
        guard let name = ConsentName.hash(ofAnswer: query, at: redirectURI) else {
            throw ConsentFailure(.foreign).hostError()
        }
        let taken = try await store.takeConsent(name, session: session.hash)
        let consent: StoredConsent
        switch taken {
        case .taken(let found): consent = found
        case .used: throw ConsentFailure(.used).hostError()
        case .late: throw ConsentFailure(.late).hostError()
        case .foreign: throw ConsentFailure(.foreign).hostError()
        }
        guard let connection = consent.connection, let waiting = WaitingConsent(consent.content) else {
            throw ConsentFailure(.foreign).hostError()
        }
        // A code works once: its result is kept even if the browser has gone. A host that is stopping does not wait for long.
        switch waiting {
        case .code(let pending, let provider):
            // A provider that sends the browser to another provider's address mixes them up (RFC 9700, section 4.4).
            guard pending.redirectURI == redirectURI else { throw ConsentFailure(.otherIssuer).hostError() }
            return try await shielded { departure in
                try await departure.giveUp(clock: clock) {
                    try await finish(pending, provider, query, connection, by: who)
                }
            }
        case .oauth1(let pending, let provider):
            return try await shielded { departure in
                try await departure.giveUp(clock: clock) {
                    try await finish(pending, provider, query, connection, by: who)
                }
            }
        case .device, .ended, .login, .arrival: throw ConsentFailure(.foreign).hostError()
        }
    }

    /// The connection that an answer is for, until it is read; `nil` if this browser has no such consent pending.
    ///
    /// - Parameters: As for `answer`.
    package func waiting(
        _ query: String,
        at redirectURI: String,
        in session: BrowserSession
    ) async throws -> Connection? {
        guard let name = ConsentName.hash(ofAnswer: query, at: redirectURI),
            let consent = try await store.consent(name), consent.session == session.hash,
            let connection = consent.connection
        else { return nil }
        return try await store.connection(connection)
    }

    private func finish(
        _ waiting: PendingConsent,
        _ provider: String,
        _ query: String,
        _ connection: ConnectionID,
        by who: String
    ) async throws -> ConnectedAccount {
        let source = try await ConnectionSource(connection, in: store, plugs)
        let (manifest, settings) = try source.consent()
        guard case .oauth2(let settings)? = settings, settings.provider == provider else {
            throw ConsentFailure(.foreign).hostError()
        }
        let config = source.config(source.plan.config)
        let plan = try self.plan(settings, manifest, config, source)
        var pending = waiting
        let proof: TokenRequest.Proof
        do { proof = try pending.answer(query, now: clock.now(), hiding: plan.hidden) } catch {
            throw error.hostError(from: plan.host)
        }
        let grant = try await grant(proof, plan)
        let account = try await self.account(manifest, config, source).keep(grant, plan)
        try await resume(connection, by: who)
        return account
    }

    /// Exchanges a proof for tokens.
    func grant(_ proof: TokenRequest.Proof, _ plan: ConsentPlan) async throws -> Grant {
        do throws(TokenFailure) { return try await tokens(proof, plan) } catch {
            throw error.hostError(from: plan.host)
        }
    }

    func tokens(_ proof: TokenRequest.Proof, _ plan: ConsentPlan) async throws(TokenFailure) -> Grant {
        let client = TokenClient(over: throttling.transport, clock: clock, hiding: plan.hidden)
        let request = TokenRequest(proof, by: plan.client, at: plan.token)
        let answer = try await client.token(request, plan.reading, within: exchangeLimit)
        return Grant(answer, asked: plan.scopes, now: clock.now())
    }

    // MARK: - Parts

    func plan(
        _ settings: OAuthSettings,
        _ manifest: Manifest,
        _ config: JSONObject,
        _ source: ConnectionSource
    ) throws(PlugError) -> ConsentPlan {
        try ConsentPlan(settings, of: manifest, config: config, clients: source.clients, now: clock.now())
    }

    func account(_ manifest: Manifest, _ config: JSONObject, _ source: ConnectionSource) -> SourceAccount {
        SourceAccount(
            manifest: manifest,
            config: config,
            clients: source.clients,
            connection: source.connection.id,
            store: store,
            throttling: throttling,
            clock: clock
        )
    }

    /// Makes a connection due that was waiting for this. One that was paused stays so.
    func resume(_ connection: ConnectionID, by who: String) async throws {
        try await SourceAccount.resume(connection, in: store, by: who, at: clock.now())
        bell.ring()
    }
}
