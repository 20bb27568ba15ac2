package import LosslessJSON
package import OAuth
package import PlugCore
internal import PlugFetch
package import PlugManifest
package import PlugStorage
package import Throttling

/// The account at a source that a connection reads: its owner, and what was granted. Terminal and browser both end here.
///
/// A new grant is checked before it replaces another, and kept only if it is for the same account: the position in a stream
/// belongs to the account from which it was read.
package struct SourceAccount: Sendable {
    private let manifest: Manifest
    private let config: JSONObject
    private let clients: [String: ClientIdentity]
    private let connection: ConnectionID
    private let store: any PlugStore
    private let throttling: RequestThrottling
    private let clock: any HostClock

    /// - Parameters:
    ///   - manifest: The plug, with the configuration's choices applied (`choosing`).
    ///   - config: The person's answers, with the manifest's defaults.
    ///   - clients: The OAuth clients of this host, by provider.
    ///   - connection: The connection, which need not exist until something is kept.
    ///   - store: Where the account is kept.
    ///   - throttling: Carries the requests.
    package init(
        manifest: Manifest,
        config: JSONObject,
        clients: [String: ClientIdentity],
        connection: ConnectionID,
        store: any PlugStore,
        throttling: RequestThrottling,
        clock: any HostClock
    ) {
        self.manifest = manifest
        self.config = config
        self.clients = clients
        self.connection = connection
        self.store = store
        self.throttling = throttling
        self.clock = clock
    }

    /// Checks what a consent gave, and keeps it.
    ///
    /// - Parameter open: Creates the connection if it does not exist yet.
    /// - Throws: `PlugError` `account-other` if it is a different account from before; the source's error during the check,
    ///   unless it is transient and no account is known yet.
    package func keep(
        _ grant: Grant,
        _ plan: some GrantPlan,
        opening open: @Sendable () async throws -> Void = {}
    ) async throws -> ConnectedAccount {
        var options = options
        // None of this is kept before it is checked.
        (options.accessToken, options.grantValues, options.grants) = (grant.accessToken, grant.values, nil)
        options.tokenSecret = grant.tokenSecret
        let before = try await KeptAccount.label(of: connection, in: store)
        var account = ConnectedAccount(connection: connection.name, plug: manifest.id)
        do { account.who = try await label(options) } catch let error as PlugError
            where [.tryLater, .unreachable].contains(error.exit) && before == nil
        {
            // The consent is valid; a temporary failure of the service is no reason to ask the person again.
            account.unchecked = error
        }
        try refuseOther(account.who, than: before)
        try await open()
        let id = GrantID(connection: connection, name: KeptGrant.consent)
        let renewal = plan.renewal(of: grant) { clock.random() }
        try await KeptAccount.keep(try plan.kept(grant).content, as: id, renewal: renewal, in: store)
        if let who = account.who { try await KeptAccount.keep(label: who, of: connection, in: store) }
        account.grant = grant
        account.missing = ScopeList.missing(from: grant.scopes, of: plan.scopes)
        return account
    }

    /// Whether the plug says how an account is checked.
    package var canCheck: Bool { manifest.check != nil }

    /// Checks credentials that need no consent.
    ///
    /// - Throws: As `keep`.
    package func check(opening open: @Sendable () async throws -> Void = {}) async throws -> ConnectedAccount {
        var account = ConnectedAccount(connection: connection.name, plug: manifest.id)
        guard canCheck else { return account }
        try await open()
        account.who = try await label(options)
        account.isChecked = true
        try refuseOther(account.who, than: try await KeptAccount.label(of: connection, in: store))
        if let who = account.who { try await KeptAccount.keep(label: who, of: connection, in: store) }
        return account
    }

    private func refuseOther(_ who: String?, than before: String?) throws(PlugError) {
        guard let before, let who, before != who else { return }
        throw PlugError(
            .accountOther,
            "connection '\(DisplayText.escaped(connection.name))' reads the account of \(DisplayText.escaped(before)), "
                + "and this is the account of \(DisplayText.escaped(who))",
            advice:
                "log in at the service as \(DisplayText.escaped(before)), or make another connection for this account",
            reach: .run
        )
    }

    private var options: FetchOptions {
        var options = FetchOptions()
        options.connection = connection
        options.grants = store
        options.clients = clients
        return options
    }

    private func label(_ options: FetchOptions) async throws -> String? {
        guard let check = manifest.check else { return nil }
        let probe = AccountProbe(
            manifest: manifest,
            config: config,
            transport: throttling.transport,
            clock: clock,
            limits: throttling.limits
        )
        return try await probe.account(check, options)
    }

    /// Makes a connection due that was waiting to be connected again. One that was paused, or disabled by its PDA, stays so.
    ///
    /// - Parameter who: The person who connected it, for the audit log.
    package static func resume(
        _ connection: ConnectionID,
        in store: any SetupStore,
        by who: String,
        at now: Int64
    ) async throws {
        guard try await store.setup(of: connection)?.status == .reconnect else { return }
        let change = AuditEntry(at: now, who: who, what: "connected again")
        _ = try await store.changeSetup(of: connection, status: .active, dueAt: now, change)
    }
}
