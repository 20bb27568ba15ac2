package import OAuth
package import PlugCore
package import PlugManifest
import Signing

extension OAuth1Settings {
    /// The consumer for a manifest: one that it names, otherwise the host's for the provider.
    ///
    /// - Throws: `PlugError` `client-missing` if there is none, `signing-key-unusable`, or a template's error.
    package func consumer(
        clients: [String: ClientIdentity],
        _ roots: TemplateRoots
    ) throws(PlugError) -> OAuth1Consumer {
        let realm = try realm.map { template throws(PlugError) in try Credentials.text(template, roots) }
        guard let consumerKey else {
            let provider = consent?.provider ?? ""
            guard let client = clients[provider] else { throw OAuthClient.missing(provider) }
            // An operator has one secret per client: with RSA it is the private key.
            let isRSA = method == .rsaSHA1
            return try consumer(client.id, isRSA ? nil : client.secret, isRSA ? client.secret : nil, realm: realm)
        }
        let secret = try consumerSecret.map { template throws(PlugError) in
            Secret(try Credentials.text(template, roots))
        }
        // A key has line breaks, which no other credential may have.
        let key = try privateKey.map { template throws(PlugError) in Secret(try template.renderText(roots)) }
        return try consumer(try Credentials.text(consumerKey, roots), secret, key, realm: realm)
    }

    private func consumer(
        _ key: String,
        _ secret: Secret?,
        _ privateKey: Secret?,
        realm: String?
    ) throws(PlugError) -> OAuth1Consumer {
        do {
            return try OAuth1Consumer(
                method,
                key: key,
                secret: secret ?? Secret(""),
                privateKey: privateKey,
                realm: realm
            )
        } catch { throw Self.unusable(error) }
    }

    static func unusable(_ error: any Error) -> PlugError {
        PlugError(
            .signingKeyUnusable,
            "the key 'auth.oauth1.private_key' \(error)",
            advice: "give the private key whose public key the service knows: --config KEY=@FILE"
        )
    }

    /// The owner of a consent.
    ///
    /// - Parameter host: The host that issues the token.
    package func owner(_ consumer: OAuth1Consumer, _ consent: Consent, host: String) -> GrantOwner {
        GrantOwner(
            consumer: consumer.key,
            alternative: alternative,
            host: consent.access.url.isConstant ? nil : host
        )
    }
}

extension OAuthSettings.Address {
    /// The endpoint of OAuth 1.0a.
    package func oauth1(_ roots: TemplateRoots) throws(PlugError) -> OAuth1Endpoint {
        OAuth1Endpoint(
            try AuthAddress.url(url, roots),
            parameters: try AuthAddress.parameters(parameters, roots)
        )
    }
}
