internal import CurlTransport
package import LosslessJSON
package import OAuth
package import PlugCore
package import PlugFetch
package import PlugManifest

/// What a manifest says of OAuth 2, with this host's client and the person's configuration filled in.
package struct ConsentPlan: GrantPlan {
    /// What the manifest says.
    package let settings: OAuthSettings
    /// Who asks.
    package let client: ClientIdentity
    /// What is asked for.
    package let scopes: [String]
    /// Where tokens are asked for.
    package let token: TokenEndpoint
    /// How answers about tokens are read.
    package let reading: TokenReading
    /// Who gives the tokens, for messages.
    package let host: String
    /// What no message may quote of the service's words.
    package let hidden: HiddenTexts
    private let roots: TemplateRoots
    private let clients: [String: ClientIdentity]
    /// The configuration without its secrets, for programs over answers.
    private let shownConfig: JSONValue

    /// Renders everything.
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
        // What requests are made of may be made of secrets.
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

    /// What is kept of a consent, so that runs know it for theirs.
    package func kept(_ grant: Grant) throws(PlugError) -> KeptGrant {
        try KeptGrant(grant, consentedTo: settings, clients: clients, config: shownConfig, roots)
    }

    /// When the grant is refreshed although no run needs it.
    package func renewal(of grant: Grant, random: () -> Double) -> GrantRenewal {
        .at(grant.keepAlive(every: settings.refresh.keepAlive, random: random))
    }

    /// What the browser is sent to.
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

    /// What is asked for a device's code.
    package func device() throws(PlugError) -> DeviceRequest? {
        guard let address = settings.device else { return nil }
        return DeviceRequest(scope: scope, by: client, at: try endpoint(at: address))
    }

    /// An address that is asked as tokens are asked for.
    func endpoint(at address: OAuthSettings.Address) throws(PlugError) -> TokenEndpoint {
        var endpoint = token
        endpoint.url = try AuthAddress.url(address.url, roots)
        endpoint.parameters = try AuthAddress.parameters(address.parameters, roots)
        return endpoint
    }

    private var scope: String? { scopes.isEmpty ? nil : scopes.joined(separator: settings.scopeSeparator) }
}
