internal import CurlTransport
package import LosslessJSON
package import OAuth
package import PlugCore
package import PlugFetch
package import PlugManifest

/// A manifest's OAuth 2 consent, with this host's client and the person's configuration filled in.
package struct ConsentPlan: GrantPlan {
    /// The manifest's settings.
    package let settings: OAuthSettings
    /// The requesting client.
    package let client: ClientIdentity
    /// The requested scopes.
    package let scopes: [String]
    /// The token endpoint.
    package let token: TokenEndpoint
    /// How token responses are read.
    package let reading: TokenReading
    /// The host that issues the tokens, for messages.
    package let host: String
    /// Texts that messages must not quote from the service.
    package let hidden: HiddenTexts
    private let roots: TemplateRoots
    private let clients: [String: ClientIdentity]
    /// The configuration without its secrets, for programs over responses.
    private let shownConfig: JSONValue

    /// Renders all templates.
    ///
    /// - Throws: `PlugError` `client-missing`, `auth-address`, or what a template lacks.
    package init(
        _ settings: OAuthSettings,
        of manifest: Manifest,
        config: JSONObject,
        clients: [String: ClientIdentity],
        now: Int64
    ) throws(PlugError) {
        var roots = try TemplateRoots(of: manifest, config: config, now: now)
        let redactor = Redactor(manifest, config: config)
        // Values that go into requests may derive from secrets.
        roots.observer = { value, expression in redactor.learn(value, of: expression) }
        self.settings = settings
        self.roots = roots
        self.clients = clients
        shownConfig = manifest.withoutSecrets(config)
        client = try OAuthClient.identity(settings, clients: clients, roots)
        scopes = try settings.renderedScopes(roots)
        token = try settings.token.endpoint(roots)
        reading = settings.reading(scopes: scopes, config: shownConfig)
        host = token.url.site
        redactor.hide([client.secret?.reveal()].compactMap { $0 })
        hidden = HiddenTexts { redactor.shown(whole: $0) }
    }

    /// The kept form of a consent, by which runs recognise it as theirs.
    package func kept(_ grant: Grant) throws(PlugError) -> KeptGrant {
        try KeptGrant(grant, consentedTo: settings, clients: clients, config: shownConfig, roots)
    }

    /// When the grant is refreshed even though no run needs it.
    package func renewal(of grant: Grant, random: () -> Double) -> GrantRenewal {
        .at(grant.keepAlive(every: settings.refresh.keepAlive, random: random))
    }

    /// The browser's authorisation request.
    ///
    /// - Parameter redirectURI: Where it comes back to.
    package func authorization(redirectURI: String) throws(PlugError) -> AuthorizationRequest? {
        guard let address = settings.authorize else { return nil }
        return AuthorizationRequest(
            endpoint: try AuthAddress.url(address.url, roots),
            clientID: client.id,
            redirectURI: redirectURI,
            scopes: scopes,
            separator: settings.scopeSeparator,
            parameters: try AuthAddress.parameters(address.parameters, roots),
            usesProofKey: settings.usesProofKey
        )
    }

    /// The request for a device code.
    package func device() throws(PlugError) -> DeviceRequest? {
        guard let address = settings.device else { return nil }
        return DeviceRequest(scope: scope, by: client, at: try endpoint(at: address))
    }

    /// An endpoint that is called like the token endpoint.
    func endpoint(at address: OAuthSettings.Address) throws(PlugError) -> TokenEndpoint {
        var endpoint = token
        endpoint.url = try AuthAddress.url(address.url, roots)
        endpoint.parameters = try AuthAddress.parameters(address.parameters, roots)
        return endpoint
    }

    private var scope: String? { scopes.isEmpty ? nil : scopes.joined(separator: settings.scopeSeparator) }
}
