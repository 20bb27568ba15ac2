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
    private let roots: TemplateRoots

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
        var roots = TemplateRoots(config: .object(config), now: .text(Timestamp(microseconds: now).rfc3339))
        var vars = JSONObject()
        for (name, template) in manifest.vars {
            vars[JSONString(name)] = try template.render(roots)
            roots.vars = .object(vars)
        }
        self.settings = settings
        self.roots = roots
        client = try OAuthClient.identity(settings, clients: clients, roots)
        scopes = try settings.renderedScopes(roots)
        token = try settings.token.endpoint(roots)
        reading = settings.reading(scopes: scopes, config: manifest.withoutSecrets(config))
        host = token.url.host
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
