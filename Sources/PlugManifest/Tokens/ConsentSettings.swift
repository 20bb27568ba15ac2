/// What a person has to consent to before anything can be read.
package enum ConsentSettings: Sendable {
    /// With OAuth 1.0a, in a browser.
    case oauth1(OAuth1Settings, OAuth1Settings.Consent)
    /// With OAuth 2, in a browser or on a device.
    case oauth2(OAuthSettings)

    /// Whether the person goes to a page of the service, which redirects them back.
    package var isInBrowser: Bool {
        switch self {
        case .oauth1: true
        case .oauth2(let settings): settings.grant == .code
        }
    }

    /// Whose client is used.
    package var provider: String {
        switch self {
        case .oauth1(_, let consent): consent.provider
        case .oauth2(let settings): settings.provider
        }
    }
}

extension Authorization {
    /// The person's consent that it needs; `nil` if it needs none, or if the configuration has to choose first.
    package var consent: ConsentSettings? {
        switch self {
        case .oauth1(let settings): settings.consent.map { .oauth1(settings, $0) }
        case .oauth2(let settings): settings.grant.needsConsent ? .oauth2(settings) : nil
        default: nil
        }
    }
}
