import OAuth
import PlugCore
import PlugManifest

/// The token from a user's consent with OAuth 1.0a: it is valid until the service refuses it.
struct OAuth1Source: TokenSource {
    let name = KeptGrant.consent
    let host: String
    let owner: GrantOwner
    let asked: String? = nil
    let before: Duration? = nil
    let refreshes = false
    let isFixed = true
    let isSigned = true
    let needsConsent = true
    let secrets: [Secret]

    /// - Parameter clients: The clients of this host, by provider.
    init(
        _ settings: OAuth1Settings,
        _ consent: OAuth1Settings.Consent,
        clients: [String: ClientIdentity],
        _ roots: TemplateRoots
    ) throws(PlugError) {
        let consumer = try settings.consumer(clients: clients, roots)
        let access = try AuthAddress.url(consent.access.url, roots)
        host = access.site
        owner = settings.owner(consumer, consent, host: access.site)
        secrets = consumer.hidden
    }

    func ask(showing refreshToken: Secret?, for stream: String, through exchange: Exchange) async throws -> TokenAnswer
    {
        throw TokenFailure(.dead, "there is no token")
    }

    func error(_ failure: TokenFailure) -> PlugError { failure.oauth1Error(from: host) }
}
