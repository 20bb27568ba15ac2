import Cryptography
import CurlTransport
import JQ
import LosslessJSON
import OAuth
import PlugCore
import PlugManifest

/// Access tokens of OAuth 2.
struct OAuthSource: TokenSource {
    let name: String
    let host: String
    let owner: GrantOwner
    let asked: String?
    let before: Duration?
    let rotates: Bool?
    let keepAlive: Duration?
    let givenRefreshToken: Secret?
    let scopes: [String]
    private let grant: OAuthSettings.Grant
    private let client: ClientIdentity
    private let token: TokenEndpoint
    private let refresh: TokenEndpoint
    private let reading: TokenReading
    private let scope: String?
    private let assertion: (statement: JWTAssertion, key: AssertionKey)?

    var refreshes: Bool { grant.refreshes }
    var needsConsent: Bool { grant.needsConsent }

    /// Renders a manifest's OAuth 2 settings.
    ///
    /// - Parameters:
    ///   - clients: The clients of this host, by provider.
    ///   - config: The configuration without its secrets, for programs over answers.
    /// - Throws: `PlugError` if a template has no value, an address is invalid, or there is no client.
    init(
        _ settings: OAuthSettings,
        clients: [String: ClientIdentity],
        config: JSONValue,
        _ roots: TemplateRoots
    ) throws(PlugError) {
        grant = settings.grant
        client = try OAuthClient.identity(settings, clients: clients, roots)
        token = try settings.token.endpoint(roots)
        var refresh = token
        if let url = settings.refresh.url { refresh.url = try AuthAddress.url(url, roots) }
        refresh.parameters += try AuthAddress.parameters(settings.refresh.parameters, roots)
        self.refresh = refresh
        host = token.url.site
        before = settings.refresh.before
        rotates = settings.refresh.rotates
        keepAlive = settings.refresh.keepAlive
        scopes = try settings.renderedScopes(roots)
        scope = scopes.isEmpty ? nil : scopes.joined(separator: settings.scopeSeparator)
        reading = settings.reading(scopes: scopes, config: config)
        givenRefreshToken = try settings.refresh.token.map { template throws(PlugError) in
            Secret(try Credentials.text(template, roots))
        }
        assertion = try settings.assertion.map { assertion throws(PlugError) in
            try OAuthClient.assertion(assertion, roots)
        }
        // A grant by consent and one without are separate: neither may use or replace the other.
        name = grant.needsConsent ? KeptGrant.consent : "oauth2.\(grant.rawValue)"
        owner =
            switch grant {
            case .code, .deviceCode:
                GrantOwner(
                    client: client.id,
                    alternative: settings.alternative,
                    host: settings.token.address.url.isConstant ? nil : token.url.site
                )
            case .refreshToken:
                givenRefreshToken.map { [client] in GrantOwner(client: client.id, configured: $0) } ?? .nobody
            case .clientCredentials, .jwtBearer: .nobody
            }
        let endpoint = grant.refreshes ? refresh : token
        var request = [grant.rawValue, endpoint.url.description, "\(endpoint.encoding)", client.id, "\(client.place)"]
        request += [client.secret?.reveal() ?? "", grant.needsConsent ? "" : scope ?? ""]
        request += endpoint.parameters.flatMap { ["parameter", $0.name, $0.value] }
        request += endpoint.headers.flatMap { ["header", $0.name, $0.value] }
        // A token obtained before the manifest kept further values is requested again.
        request += settings.keep.flatMap { ["keep", $0.name, $0.program.source] }
        if let assertion { request += try Self.asked(assertion.statement, settings.assertion, roots) }
        asked = AuthAddress.hash(request)
    }

    /// The constant claims of an assertion, and what it is signed with.
    private static func asked(
        _ statement: JWTAssertion,
        _ settings: OAuthSettings.Assertion?,
        _ roots: TemplateRoots
    ) throws(PlugError) -> [String] {
        var claims = statement.claims
        for name in ["iat", "nbf", "exp", "jti"] { claims[JSONString(name)] = nil }
        return [
            JSONValue.object(statement.header).compactText, JSONValue.object(claims).compactText,
            settings?.algorithm.rawValue ?? "", try settings?.key.renderText(roots) ?? "",
        ]
    }

    /// What no message may show.
    var secrets: [Secret] { [client.secret, givenRefreshToken].compactMap { $0 } }

    func ask(showing refreshToken: Secret?, for stream: String, through exchange: Exchange) async throws -> TokenAnswer
    {
        let request: TokenRequest
        switch grant {
        case .clientCredentials: request = TokenRequest(.client, scope: scope, by: client, at: token)
        case .jwtBearer:
            guard let assertion else { throw TokenFailure(.refused, "there is nothing to sign") }
            let signed: Secret
            do { signed = try assertion.statement.signed(with: assertion.key, now: exchange.clock.now()) } catch {
                throw OAuthClient.badKey(error)
            }
            request = TokenRequest(.assertion(signed), scope: scope, by: client, at: token)
        case .code, .deviceCode, .refreshToken:
            guard let refreshToken else { throw TokenFailure(.dead, "there is no refresh token") }
            // A consent's scopes stay as they are; for a user's own refresh token, nothing else states them.
            let scope = grant == .refreshToken ? scope : nil
            request = TokenRequest(.refreshToken(refreshToken), scope: scope, by: client, at: refresh)
        }
        let response = try await exchange.sendForToken(request.httpRequest(), for: stream)
        let redactor = exchange.redactor
        let hidden = HiddenTexts(request.hidden) { redactor.shown(whole: $0) }
        return try reading.read(response, now: exchange.clock.now(), hiding: hidden)
    }

    func error(_ failure: TokenFailure) -> PlugError {
        var failure = failure
        if !refreshes, failure.kind == .dead { failure.kind = .refused }
        var error = failure.plugError(from: host)
        if failure.kind == .dead, !needsConsent {
            error.advice = "the configured refresh token is used up or withdrawn: get a new one and configure it"
        }
        return error
    }
}
