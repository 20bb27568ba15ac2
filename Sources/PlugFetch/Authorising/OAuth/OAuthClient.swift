internal import LosslessJSON
package import OAuth
package import PlugCore
package import PlugManifest

/// The client that requests tokens, and the assertions it signs.
package enum OAuthClient {
    /// The client for a manifest: one that the user supplies, otherwise the host's for the provider.
    ///
    /// - Throws: `PlugError` `client-missing` if there is none.
    package static func identity(
        _ settings: OAuthSettings,
        clients: [String: ClientIdentity],
        _ roots: TemplateRoots
    ) throws(PlugError) -> ClientIdentity {
        let place: ClientIdentity.Place =
            switch settings.token.client {
            case .body: .body
            case .basic: .basic
            case .none: .none
            }
        if let (id, secret) = settings.client {
            let secret = try secret.map { template throws(PlugError) in Secret(try Credentials.text(template, roots)) }
            return ClientIdentity(id: try Credentials.text(id, roots), secret: secret, place: place)
        }
        if let client = clients[settings.provider] {
            return ClientIdentity(id: client.id, secret: place == .none ? nil : client.secret, place: place)
        }
        // The signature itself identifies the signer.
        if settings.grant == .jwtBearer { return ClientIdentity(id: "", place: .none) }
        throw missing(settings.provider)
    }

    /// The error of a host without a client.
    ///
    /// - Parameter advice: What to do; `nil` for the advice to a person at a command line.
    package static func missing(_ provider: String, advice: String? = nil) -> PlugError {
        PlugError(
            .clientMissing,
            "this host has no OAuth client for the provider '\(provider)'",
            advice: advice
                ?? "register a client with the service, and give plughost its id and secret in providers.yaml of the state "
                + "folder, or with --client-id ID --client-secret @FILE (Documentation/authorisation.md, Clients)"
        )
    }

    /// An assertion to be signed, and its key.
    static func assertion(
        _ settings: OAuthSettings.Assertion,
        _ roots: TemplateRoots
    ) throws(PlugError) -> (statement: JWTAssertion, key: AssertionKey) {
        func object(_ members: [(name: String, value: JSONTemplate)]) throws(PlugError) -> JSONObject {
            var object = JSONObject()
            for member in members { object[JSONString(member.name)] = try member.value.render(roots) }
            return object
        }
        let statement = JWTAssertion(
            header: try object(settings.header),
            claims: try object(settings.claims),
            lifetime: settings.lifetime
        )
        // A key has line breaks, which no other credential may have.
        let secret = Secret(try settings.key.renderText(roots))
        let algorithm: SigningAlgorithm =
            switch settings.algorithm {
            case .rs256: .rs256
            case .es256: .es256
            case .hs256: .hs256
            }
        do { return (statement, try AssertionKey(algorithm, secret)) } catch { throw badKey(error) }
    }

    static func badKey(_ refused: AssertionKey.Refused) -> PlugError {
        PlugError(
            .signingKeyUnusable,
            "the key of 'auth.oauth2.jwt' \(refused)",
            advice: "check the config key that 'jwt.key' refers to; for a file, write --config KEY=@FILE"
        )
    }
}
