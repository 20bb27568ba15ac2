internal import LosslessJSON
internal import OAuth
internal import PlugCore
internal import PlugFetch
internal import PlugManifest
internal import PlugRuntime
internal import PlugStorage
internal import Throttling

/// One `plughost connect`, once everything it needs is open.
struct ConnectSession: Sendable {
    let manifest: Manifest
    let config: JSONObject
    let clients: [String: ClientIdentity]
    let connection: ConnectTarget.Connection
    let store: any PlugStore
    let throttling: RequestThrottling
    let way: Consent.Way
    let context: CommandContext

    /// Asks for consent where the plug needs one, checks whose account it is, and keeps both.
    ///
    /// - Throws: `PlugError`; `CancellationError` at Ctrl-C.
    func connect() async throws -> ConnectedAccount {
        guard case .oauth2(let settings) = manifest.authorization, settings.grant.needsConsent else {
            return try await check()
        }
        let now = context.clock.now()
        let plan = try ConsentPlan(settings, of: manifest, config: config, clients: clients, now: now)
        let consent = Consent(plan: plan, way: way, sender: throttling.transport, context: context)
        return try await consent.run { grant in
            let account = try await keep(grant, plan)
            return (result: account, words: account.sentence)
        }
    }

    /// Checks a new grant before it takes the place of another one, and keeps it.
    private func keep(_ grant: Grant, _ plan: ConsentPlan) async throws -> ConnectedAccount {
        var options = options
        // Nothing of this is kept before it is checked.
        (options.accessToken, options.grantValues, options.grants) = (grant.accessToken, grant.values, nil)
        var who: String?
        do { who = try await label(options) } catch let error as PlugError
            where [.tryLater, .unreachable].contains(error.exit)
        {
            // The consent is good; that the service fails now is no reason to ask the person again.
            context.errors.write("warning: [\(error.code)] the account could not be checked now: \(error.message)\n")
        }
        try await connection.open(in: store)
        try await warnOfOther(who)
        let id = GrantID(connection: connection.id, name: KeptGrant.consent)
        let renewal = plan.renewal(of: grant) { context.clock.random() }
        try await KeptAccount.keep(try plan.kept(grant).content, as: id, renewal: renewal, in: store)
        if let who { try await KeptAccount.keep(label: who, of: connection.id, in: store) }
        let account = ConnectedAccount(
            connection: connection.id.name,
            plug: manifest.id,
            who: who,
            grant: grant,
            missing: ScopeList.missing(from: grant.scopes, of: plan.scopes)
        )
        if !account.missing.isEmpty {
            let names = account.missing.map { "'\(DisplayText.escaped($0))'" }.joined(separator: ", ")
            context.errors.write("warning: not granted: \(names). Requests that need it will be refused\n")
        }
        if grant.refreshToken == nil, grant.expires != nil {
            context.errors.write("warning: there is no refresh token: when the access token ends, connect again\n")
        }
        return account
    }

    /// Checks credentials that need no consent.
    private func check() async throws -> ConnectedAccount {
        var account = ConnectedAccount(connection: connection.id.name, plug: manifest.id)
        guard manifest.check != nil else {
            context.errors.write("nothing is to be connected: the plug needs no consent, and has no 'check'\n")
            return account
        }
        try await connection.open(in: store)
        account.who = try await label(options)
        account.isChecked = true
        try await warnOfOther(account.who)
        if let who = account.who { try await KeptAccount.keep(label: who, of: connection.id, in: store) }
        return account
    }

    /// Says that the connection had another person's account: its positions in the source are that person's.
    private func warnOfOther(_ who: String?) async throws {
        guard let who, let before = try await KeptAccount.label(of: connection.id, in: store), before != who else {
            return
        }
        context.errors.write(
            "warning: '\(DisplayText.escaped(connection.id.name))' was the account of \(DisplayText.escaped(before)), and is now of "
                + "\(DisplayText.escaped(who)). If these are two people, remove the connection and connect under another "
                + "name: it goes on where the first one stopped\n"
        )
    }

    private var options: FetchOptions {
        var options = FetchOptions()
        options.connection = connection.id
        options.grants = store
        options.clients = clients
        return options
    }

    private func label(_ options: FetchOptions) async throws -> String? {
        guard let check = manifest.check else { return nil }
        let probe = AccountProbe(manifest: manifest, config: config, throttling: throttling, clock: context.clock)
        return try await probe.account(check, options)
    }
}
