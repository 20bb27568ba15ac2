internal import CurlTransport
internal import LosslessJSON
internal import OAuth
internal import PlugCore
internal import PlugFetch
internal import PlugManifest

/// What a manifest says of OAuth 2, with this host's client and the person's configuration filled in.
struct ConsentPlan: Sendable {
    let settings: OAuthSettings
    let client: ClientIdentity
    let scopes: [String]
    let token: TokenEndpoint
    let reading: TokenReading
    /// Who gives the tokens, for messages.
    let host: String
    /// What no message may quote of the service's words.
    let hidden: HiddenTexts
    private let roots: TemplateRoots
    private let clients: [String: ClientIdentity]
    /// The configuration without its secrets, for programs over answers.
    private let shownConfig: JSONValue

    /// Renders everything.
    ///
    /// - Throws: `PlugError` `client-missing`, `auth-address`, or what a template lacks.
    init(
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
        hidden = HiddenTexts { redactor.shown($0) }
    }

    /// What is kept of a consent, so that runs know it for theirs.
    func kept(_ grant: Grant) throws(PlugError) -> KeptGrant {
        try KeptGrant(grant, consentedTo: settings, clients: clients, config: shownConfig, roots)
    }

    /// When the grant is refreshed although no run needs it.
    func renewal(of grant: Grant, random: () -> Double) -> GrantRenewal {
        .at(grant.keepAlive(every: settings.refresh.keepAlive, random: random))
    }

    /// What the browser is sent to.
    ///
    /// - Parameter redirectURI: Where it comes back to.
    func authorization(redirectURI: String) throws(PlugError) -> AuthorizationRequest? {
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
    func device() throws(PlugError) -> DeviceRequest? {
        guard let address = settings.device else { return nil }
        var endpoint = token
        endpoint.url = try AuthAddress.url(address.url, roots)
        endpoint.parameters = try AuthAddress.parameters(address.parameters, roots)
        return DeviceRequest(scope: scope, by: client, at: endpoint)
    }

    private var scope: String? { scopes.isEmpty ? nil : scopes.joined(separator: settings.scopeSeparator) }
}
