internal import LosslessJSON
internal import OAuth
internal import PlugCore
internal import PlugManifest
internal import PlugStorage
internal import Syncing
internal import Throttling

/// Consents with OAuth 1.0a (RFC 5849, section 2): the service is asked once before the browser leaves, and once when it is back.
extension SourceConnecting {
    func plan(
        _ settings: OAuth1Settings,
        _ consent: OAuth1Settings.Consent,
        _ manifest: Manifest,
        _ config: JSONObject,
        _ source: ConnectionSource
    ) throws(PlugError) -> OAuth1Plan {
        try OAuth1Plan(
            settings,
            consent,
            of: manifest,
            config: config,
            clients: source.clients,
            now: clock.now()
        )
    }

    /// Requests temporary credentials. If the browser never leaves they are lost, and are of no use to anyone.
    func beginOAuth1(_ plan: OAuth1Plan, redirectURI: String) async throws(PlugError) -> PendingOAuth1Consent {
        do throws(TokenFailure) {
            return try await plan.begin(
                redirectURI: redirectURI,
                lifetime: Self.patience,
                over: throttling.transport,
                clock: clock,
                within: exchangeLimit
            )
        } catch { throw error.hostError(from: plan.host, isOAuth1: true) }
    }

    func finish(
        _ waiting: PendingOAuth1Consent,
        _ provider: String,
        _ query: String,
        _ connection: ConnectionID,
        by who: String
    ) async throws -> ConnectedAccount {
        let source = try await ConnectionSource(connection, in: store, plugs)
        let (manifest, settings) = try source.consent()
        guard case .oauth1(let settings, let consent)? = settings, consent.provider == provider else {
            throw ConsentFailure(.foreign).hostError()
        }
        let config = source.config(source.plan.config)
        let plan = try self.plan(settings, consent, manifest, config, source)
        var pending = waiting
        let proof: PendingOAuth1Consent.Proof
        do { proof = try pending.answer(query, now: clock.now(), hiding: plan.hidden) } catch {
            throw error.hostError(from: plan.host)
        }
        let grant: Grant
        do throws(TokenFailure) {
            grant = try await plan.grant(proof, over: throttling.transport, clock: clock, within: exchangeLimit)
        } catch { throw error.hostError(from: plan.host, isOAuth1: true) }
        let account = try await self.account(manifest, config, source).keep(grant, plan)
        try await resume(connection, by: who)
        return account
    }
}
