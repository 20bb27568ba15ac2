internal import CurlTransport
package import LosslessJSON
internal import OAuth
package import PlugCore
internal import PlugFetch
internal import PlugManifest
package import PlugStorage
package import Syncing
package import Throttling

/// The outcome of revoking a consent at the service that gave it.
package enum Revocation: Sendable, Equatable {
    /// The service has revoked it.
    case revoked
    /// There was none, or it was already dead.
    case nothing
    /// The plug does not say how: the person revokes it on the service's own page.
    case unsupported
    /// The service did not revoke it; its reason. The person revokes it on the service's own page.
    case failed(String)

    /// A sentence for the receipt.
    package var sentence: String {
        switch self {
        case .revoked: "The service has revoked the consent."
        case .nothing: "There was no consent to revoke."
        case .unsupported: "The consent was deleted here. Revoke it on the service's own page, too."
        case .failed(let reason):
            "The consent was deleted here, but the service did not revoke it (\(reason)). Revoke it on the service's own page."
        }
    }

    /// For programs: `{"status": WORD, "text": SENTENCE}`.
    package var json: JSONValue { .members(("status", .text(word)), ("text", .text(sentence))) }

    /// `revoked`, `nothing`, `unsupported` or `failed`.
    package var word: String {
        switch self {
        case .revoked: "revoked"
        case .nothing: "nothing"
        case .unsupported: "unsupported"
        case .failed: "failed"
        }
    }
}

/// Ends what a person has granted: at the service as far as possible within seconds, and here in any case.
package struct Disconnecting: Sendable {
    /// How long a service may take, for all tokens together.
    private static let limit = Duration.seconds(10)

    private let store: any PlugStore
    private let plugs: HostPlugs
    private let throttling: RequestThrottling
    private let clock: any HostClock

    /// - Parameters: As for `SourceConnecting`.
    package init(_ store: any PlugStore, _ plugs: HostPlugs, _ throttling: RequestThrottling, clock: any HostClock) {
        (self.store, self.plugs, self.throttling, self.clock) = (store, plugs, throttling, clock)
    }

    /// Disconnects a connection from its source: it does not run again until the person reconnects it. Cursors and records stay.
    ///
    /// A crash part-way leaves it unchanged, or with a consent that the service no longer knows: a second call completes it.
    ///
    /// - Throws: `PlugError` of the store; never because of the service.
    package func disconnect(_ connection: ConnectionID, by who: String = "person") async throws -> Revocation {
        let change = AuditEntry(at: clock.now(), who: who, what: "disconnected")
        _ = try await store.changeSetup(of: connection, status: .reconnect, dueAt: nil, change)
        let revocation = await revoke(connection)
        try await KeptAccount.forgetConsent(of: connection, in: store)
        return revocation
    }

    /// Erases a connection and everything kept for it, including what the person has granted at the source. It may be used while
    /// a host runs.
    ///
    /// - Parameter who: For the audit log, which is erased with it unless this fails.
    /// - Returns: What was destroyed, `nil` if there was nothing; and the outcome for the consent.
    /// - Throws: `PlugError` `state-locked` (75) while a run holds it: it is then paused, so that the host does not start it
    ///   again, and can be erased once its run has ended. A store that was opened to wait waits for that. Errors of the store.
    package func erase(
        _ connection: ConnectionID,
        by who: String = "person"
    ) async throws -> (receipt: ErasureReceipt?, consent: Revocation) {
        guard try await store.connection(connection) != nil else { return (nil, .nothing) }
        // Without a set-up no host runs it: there is nothing to pause.
        let change = AuditEntry(at: clock.now(), who: who, what: "to be erased")
        let isPaused = try await store.changeSetup(of: connection, status: .paused, dueAt: nil, change)
        let lease: ConnectionLease
        do { lease = try await store.lease(connection) } catch var error as PlugError
            where error.isLockedState && isPaused
        {
            error.message += ". It is paused now, so that no host starts it again"
            error.advice = "erase it again when that run has ended; 'plughost connection resume' keeps it"
            throw error
        }
        defer { lease.end() }
        // The caller may have gone by now: what is revoked is also erased.
        return try await shielded { departure in
            let revocation = try await departure.giveUp(clock: clock) { await revoke(connection) }
            return (try await store.eraseConnection(connection), revocation)
        }
    }

    /// Revokes the consent at the service.
    private func revoke(_ connection: ConnectionID) async -> Revocation {
        let id = GrantID(connection: connection, name: KeptGrant.consent)
        guard let content = try? await store.grant(id)?.content, let kept = try? KeptGrant(content), !kept.isDead else {
            return .nothing
        }
        let source: ConnectionSource
        let plan: ConsentPlan
        let endpoint: TokenEndpoint
        do {
            let nothing = ConnectionPlan(config: JSONObject()).content
            let none = ConnectionSetup(status: .paused, dueAt: nil, content: nothing)
            source = try await ConnectionSource(connection, in: store, plugs, orAs: none)
            let (manifest, settings) = try source.consent()
            // OAuth 1 has no way to revoke a consent.
            guard case .oauth2(let settings)? = settings else { return .unsupported }
            let config = source.config(source.plan.config)
            plan = try ConsentPlan(settings, of: manifest, config: config, clients: source.clients, now: clock.now())
            guard let found = try plan.revocation() else { return .unsupported }
            endpoint = found
        } catch { return .failed((error as? PlugError)?.message ?? "\(error)") }
        // Revoking a refresh token also revokes the others of its consent (RFC 7009, section 2.1).
        let token =
            kept.grant.refreshToken.map { ($0, TokenRevocation.Kind.refreshToken) }
            ?? kept.grant.accessToken.map { ($0, .accessToken) }
        guard let (token, kind) = token else { return .nothing }
        let request = TokenRevocation(token, kind, by: plan.client, at: endpoint).httpRequest(within: Self.limit)
        do {
            let response = try await throttling.transport.send(request)
            guard 200..<300 ~= response.status else { return .failed("\(plan.host): status \(response.status)") }
            return .revoked
        } catch { return .failed(error.message) }
    }
}

extension ConsentPlan {
    /// Where a consent is revoked; `nil` if the service has no such address.
    fileprivate func revocation() throws(PlugError) -> TokenEndpoint? {
        guard let address = settings.revoke else { return nil }
        return try endpoint(at: address)
    }
}
