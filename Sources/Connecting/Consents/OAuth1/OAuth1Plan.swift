package import CurlTransport
package import LosslessJSON
package import OAuth
package import PlugCore
package import PlugFetch
package import PlugManifest

/// A manifest's OAuth 1.0a consent, with this host's consumer and the person's configuration filled in.
package struct OAuth1Plan: GrantPlan {
    /// The protocol has no scopes: the service's own page says what is granted.
    package let scopes: [String] = []
    /// The host that issues the token, for messages.
    package let host: String
    /// Texts that messages must not quote from the service.
    package let hidden: HiddenTexts
    private let consumer: OAuth1Consumer
    private let request: OAuth1Endpoint
    private let authorize: OAuth1Endpoint
    private let access: OAuth1Endpoint
    private let owner: GrantOwner

    /// Renders all templates.
    ///
    /// - Throws: `PlugError` `client-missing`, `auth-address`, `signing-key-unusable`, or what a template lacks.
    package init(
        _ settings: OAuth1Settings,
        _ consent: OAuth1Settings.Consent,
        of manifest: Manifest,
        config: JSONObject,
        clients: [String: ClientIdentity],
        now: Int64
    ) throws(PlugError) {
        var roots = try TemplateRoots(of: manifest, config: config, now: now)
        let redactor = Redactor(manifest, config: config)
        // Values that go into requests may derive from secrets.
        roots.observer = { value, expression in redactor.learn(value, of: expression) }
        consumer = try settings.consumer(clients: clients, roots)
        request = try consent.request.oauth1(roots)
        authorize = try consent.authorize.oauth1(roots)
        access = try consent.access.oauth1(roots)
        host = access.url.site
        owner = settings.owner(consumer, consent, host: access.url.site)
        redactor.hide(consumer.hidden.map { $0.reveal() })
        hidden = HiddenTexts { redactor.shown(whole: $0) }
    }

    /// Requests temporary credentials from the service, and begins a consent with them.
    ///
    /// - Parameters:
    ///   - redirectURI: Where the browser comes back to.
    ///   - lifetime: How long the consent waits.
    ///   - total: How long the service may take.
    package func begin(
        redirectURI: String,
        lifetime: Duration = PendingConsent.lifetime,
        over sender: any HTTPSending,
        clock: any HostClock,
        within total: Duration = .seconds(60)
    ) async throws(TokenFailure) -> PendingOAuth1Consent {
        try await client(sender, clock).begin(
            at: request,
            authorize: authorize,
            redirectURI: redirectURI,
            lifetime: lifetime,
            within: total
        )
    }

    /// Requests the token that the person has granted.
    package func grant(
        _ proof: PendingOAuth1Consent.Proof,
        over sender: any HTTPSending,
        clock: any HostClock,
        within total: Duration = .seconds(60)
    ) async throws(TokenFailure) -> Grant {
        let credentials = try await client(sender, clock).credentials(proof, at: access, within: total)
        return Grant(credentials, now: clock.now())
    }

    private func client(_ sender: any HTTPSending, _ clock: any HostClock) -> OAuth1Client {
        OAuth1Client(consumer, over: sender, clock: clock, hiding: hidden)
    }

    package func kept(_ grant: Grant) throws(PlugError) -> KeptGrant { KeptGrant(grant, of: owner) }

    package func renewal(of grant: Grant, random: () -> Double) -> GrantRenewal { .at(nil) }
}
