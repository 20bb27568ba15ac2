import LosslessJSON
package import OAuth
import PlugCore
import PlugFetch
package import PlugManifest
import Synchronization

/// What a fixture's connection has been granted when the conversation begins: `grant` in the file. With it, requests for tokens
/// are part of the conversation like any others.
package struct ReplayedGrant: Sendable {
    /// The access token; `nil` if one has to be requested.
    var accessToken: String?
    /// The refresh token that a consent has left.
    var refreshToken: String?
    /// When the access token expires, in microseconds since 1970.
    var expires: Int64?

    /// What was kept of the token response (`oauth2.keep`).
    var values: [String: String] = [:]

    /// The client of every provider.
    static let client = ClientIdentity(id: "fixture-client", secret: Secret("fixture-secret"))

    /// The clients of the plug's providers.
    package static func clients(of manifest: Manifest) -> [String: ClientIdentity] {
        Dictionary(manifest.authorization.providers.map { ($0, client) }) { first, _ in first }
    }

    /// A vault that holds it for the plug's OAuth settings; an empty one if nothing has been granted yet.
    ///
    /// - Parameter path: The fixture's path.
    /// - Throws: `PlugError` `fixture-invalid` if the plug has no `oauth2`.
    func vault(
        of manifest: Manifest,
        config: JSONObject,
        _ connection: ConnectionID,
        now: Int64,
        clients: [String: ClientIdentity]? = nil,
        path: String
    ) throws(PlugError) -> ReplayVault {
        let config = manifest.withDefaults(config)
        let manifest = try manifest.choosing(config)
        guard case .oauth2(let settings) = manifest.authorization else {
            throw PlugError(
                .fixtureInvalid,
                "\(path): 'grant' describes what an OAuth consent left, but the plug's 'auth' is not 'oauth2'",
                advice: "remove it: other credentials are answers in 'config', and a login is a request like others"
            )
        }
        guard let grant = grant(now) else { return ReplayVault() }
        let kept = try KeptGrant(
            grant,
            consentedTo: settings,
            clients: clients ?? Self.clients(of: manifest),
            config: manifest.withoutSecrets(config),
            TemplateRoots(of: manifest, config: config, now: now)
        )
        return ReplayVault([GrantID(connection: connection, name: KeptGrant.consent): kept.content])
    }

    private func grant(_ now: Int64) -> Grant? {
        let refresh = refreshToken.map { Secret($0) }
        guard let accessToken else {
            return refresh.map { token in
                var grant = Grant(refreshToken: token, now: now)
                grant.values = values
                return grant
            }
        }
        let answer = TokenAnswer(
            accessToken: Secret(accessToken),
            refreshToken: refresh,
            expires: expires,
            scopes: nil,
            values: values
        )
        return Grant(answer, asked: [], now: now)
    }
}

/// Keeps the grants of one replay in memory.
final class ReplayVault: GrantKeeping {
    private let grants: Mutex<[GrantID: StoredGrant]>

    init(_ grants: [GrantID: Secret] = [:]) {
        self.grants = Mutex(grants.mapValues { StoredGrant(content: $0, version: 1) })
    }

    func grant(_ id: GrantID) async throws -> StoredGrant? { grants.withLock { $0[id] } }

    func keepGrant(
        _ content: Secret,
        as id: GrantID,
        replacing version: Int64?,
        renewal: GrantRenewal
    ) async throws -> Int64? {
        grants.withLock { grants in
            guard grants[id]?.version == version else { return nil }
            let next = (version ?? 0) + 1
            grants[id] = StoredGrant(content: content, version: next)
            return next
        }
    }

    /// There is no one else to exclude.
    func lockGrant(_ id: GrantID) async throws -> ConnectionLease? { ConnectionLease {} }
}
