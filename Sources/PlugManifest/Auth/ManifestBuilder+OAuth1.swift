import PlugCore
import Signing

extension ManifestBuilder {
    /// OAuth 1.0a; `nil` if any of it is invalid.
    ///
    /// - Parameter plug: The plug's id, whose consumer is used unless the manifest names another one.
    func oauth1(_ kind: YAMLEntry, plug: String?) -> Authorization? {
        guard let keys = CheckedMapping(kind.value, Tables.oauth1, at: kind.keyLocation, findings) else { return nil }
        let method = keys.text("method").flatMap(OAuth1Method.init(rawValue:)) ?? .hmacSHA1
        // A misspelt method is one mistake, not two.
        if keys.isWritten("method") == (keys["method"] != nil) { checkKeys(keys, of: method) }
        let scope = Self.authScope
        let consumerKey = template(keys["consumer_key"], scope)
        let settings = ["consumer_secret", "token", "token_secret", "private_key"].map { template(keys[$0], scope) }
        for (name, at) in [("consumer_secret", 0), ("token_secret", 2), ("private_key", 3)] {
            checkHidden(settings[at], name)
        }
        let place = keys.text("in").flatMap(OAuth1Settings.Place.init(rawValue:)) ?? .header
        let realm = header(keys["realm"], scope)
        if place == .query, keys.isWritten("realm") {
            let help = "remove it, or write 'in: header'"
            findings.error(.signExcludes, "only the header has a realm", at: keys.location("realm"), help: help)
        }
        let consent = consent(keys, plug: plug)
        // Errors in the consent have been reported.
        guard consumerKey != nil || consent != nil, consent != nil || !keys.hasConsent else { return nil }
        return .oauth1(
            OAuth1Settings(
                method: method,
                consumerKey: consumerKey,
                consumerSecret: settings[0],
                token: settings[1],
                tokenSecret: settings[2],
                privateKey: settings[3],
                place: place,
                realm: realm,
                consent: consent
            )
        )
    }

    /// What each method needs, and what is meaningless with it.
    private func checkKeys(_ keys: CheckedMapping, of method: OAuth1Method) {
        let (needed, useless) =
            method == .rsaSHA1
            ? ("private_key", ["consumer_secret", "token_secret"]) : ("consumer_secret", ["private_key"])
        // With a consent both may be the host's.
        if !keys.isWritten(needed), !keys.hasConsent || keys.isWritten("consumer_key") {
            let place = keys.isWritten("method") ? keys.location("method") : keys.place
            let help = "add \(needed): '{{ config.\(needed) }}'"
            findings.error(.signNeeds, "'\(method.rawValue)' needs '\(needed)'", at: place, help: help)
        }
        for key in useless where keys.isWritten(key) {
            findings.error(
                .signExcludes,
                "'\(key)' has no meaning with '\(method.rawValue)'",
                at: keys.location(key),
                help: method == .rsaSHA1 ? "remove it" : "remove it, or write 'method: RSA-SHA1'"
            )
        }
        checkConsumer(keys)
        checkToken(keys)
    }

    /// The keys that belong to a consumer named in the manifest.
    private func checkConsumer(_ keys: CheckedMapping) {
        if keys.isWritten("consumer_key") { return }
        guard keys.hasConsent else {
            let message = "'consumer_key' is missing in oauth1"
            return findings.error(.missingKey, message, at: keys.place, help: "'consumer_key' is the application")
        }
        for key in ["consumer_secret", "private_key"] where keys.isWritten(key) {
            let help = "add 'consumer_key', or leave both to the host"
            findings.error(.missingKey, "'\(key)' needs 'consumer_key'", at: keys.location(key), help: help)
        }
    }

    private func checkToken(_ keys: CheckedMapping) {
        if keys.hasConsent {
            for key in ["token", "token_secret"] where keys.isWritten(key) {
                let message = "'\(key)' has no meaning beside a consent, which gives it"
                findings.error(.signExcludes, message, at: keys.location(key), help: "remove it")
            }
        } else if keys.isWritten("token_secret"), !keys.isWritten("token") {
            let help = "add token: '{{ config.token }}'"
            findings.error(.signNeeds, "'token_secret' needs 'token'", at: keys.location("token_secret"), help: help)
        }
    }

    // MARK: - Consents

    /// The consent that yields the token; `nil` if there is none, or any of it is invalid.
    private func consent(_ keys: CheckedMapping, plug: String?) -> OAuth1Settings.Consent? {
        let provider = provider(keys) ?? plug
        guard keys.hasConsent else {
            if keys.isWritten("provider") {
                let help = "remove it, or add 'request', 'authorize' and 'access'"
                let message = "'provider' has no meaning without a consent"
                findings.error(.signExcludes, message, at: keys.location("provider"), help: help)
            }
            return nil
        }
        for key in OAuth1Settings.Consent.keys where !keys.isWritten(key) {
            let help = "add \(key): {url: https://…}"
            findings.error(.signNeeds, "a consent with OAuth 1 needs '\(key)'", at: keys.place, help: help)
        }
        let addresses = OAuth1Settings.Consent.keys.map { address(keys.entry($0), Tables.oauth1Address) }
        guard let provider, let request = addresses[0], let authorize = addresses[1], let access = addresses[2] else {
            return nil
        }
        return OAuth1Settings.Consent(provider: provider, request: request, authorize: authorize, access: access)
    }
}

extension CheckedMapping {
    /// Whether a consent is described, valid or not.
    fileprivate var hasConsent: Bool { OAuth1Settings.Consent.keys.contains { isWritten($0) } }
}
