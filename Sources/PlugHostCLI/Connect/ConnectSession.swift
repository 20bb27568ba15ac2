internal import Connecting
internal import CurlTransport
internal import LosslessJSON
internal import OAuth
internal import PlugCore
internal import PlugManifest
internal import PlugStorage
internal import Throttling

/// One `plughost connect`, once everything that it needs is open.
struct ConnectSession: Sendable {
    let manifest: Manifest
    let config: JSONObject
    let clients: [String: ClientIdentity]
    let connection: ConnectTarget.Connection
    let store: any PlugStore
    let throttling: RequestThrottling
    /// Where requests to an address go, or why they cannot go there.
    let place: @Sendable (HTTPURL) throws(HTTPError) -> HTTPURL
    let way: BrowserVisit.Way
    let context: CommandContext

    /// Asks for consent if the plug needs one, checks whose account it is, and stores both.
    ///
    /// - Throws: `PlugError`; `CancellationError` at Ctrl-C.
    func connect() async throws -> ConnectedAccount {
        let now = context.clock.now()
        switch manifest.authorization.consent {
        case .oauth1(let settings, let described):
            let plan = try OAuth1Plan(
                settings,
                described,
                of: manifest,
                config: config,
                clients: clients,
                now: now
            )
            let visit = BrowserVisit(host: plan.host, hidden: plan.hidden, place: place, way: way, context: context)
            let consent = OAuth1Consent(plan: plan, visit: visit, sender: throttling.transport, context: context)
            return try await consent.run { try await told(keep($0, plan)) }
        case .oauth2(let settings):
            let plan = try ConsentPlan(settings, of: manifest, config: config, clients: clients, now: now)
            // A consent whose code cannot be exchanged would be lost.
            do throws(HTTPError) { _ = try place(plan.token.url) } catch {
                throw TokenFailure(error).consentError(from: plan.host)
            }
            let visit = BrowserVisit(host: plan.host, hidden: plan.hidden, place: place, way: way, context: context)
            let consent = Consent(plan: plan, visit: visit, sender: throttling.transport, context: context)
            return try await consent.run { try await told(keep($0, plan)) }
        case nil: return try await check()
        }
    }

    private func told(_ account: ConnectedAccount) -> (result: ConnectedAccount, words: String) {
        (result: account, words: account.sentence)
    }

    /// Checks a new grant before it replaces another one, and stores it.
    private func keep(_ grant: Grant, _ plan: some GrantPlan) async throws -> ConnectedAccount {
        let account = try await source.keep(grant, plan) { try await connection.open(in: store) }
        if let error = account.unchecked {
            context.errors.write("warning: [\(error.code)] the account could not be checked now: \(error.message)\n")
        }
        if !account.missing.isEmpty {
            let names = account.missing.map { "'\(DisplayText.escaped($0))'" }.joined(separator: ", ")
            context.errors.write("warning: not granted: \(names). Requests that need it will be refused\n")
        }
        if account.endsWithItsToken {
            context.errors.write("warning: there is no refresh token: connect again when the access token expires\n")
        }
        return account
    }

    /// Checks credentials that need no consent.
    private func check() async throws -> ConnectedAccount {
        if !source.canCheck {
            context.errors.write("there is nothing to connect: the plug needs no consent, and has no 'check'\n")
        }
        return try await source.check { try await connection.open(in: store) }
    }

    private var source: SourceAccount {
        SourceAccount(
            manifest: manifest,
            config: config,
            clients: clients,
            connection: connection.id,
            store: store,
            throttling: throttling,
            clock: context.clock
        )
    }
}
