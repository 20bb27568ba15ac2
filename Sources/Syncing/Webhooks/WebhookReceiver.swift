internal import JQ
internal import LosslessJSON
internal import OAuth
package import PlugCore
internal import PlugManifest
package import PlugStorage

/// Answers services' webhook calls, and makes the connections concerned due.
///
/// Nothing in a call is used as data: it says that there is something new, and for whom, and the next run reads it. A burst of
/// calls causes one run, as a connection that is already due stays so.
package struct WebhookReceiver: Sendable {
    /// Something to report to an operator.
    package enum Event: Sendable {
        /// This many connections of a plug are now due.
        case rang(plug: String, connections: Int)
        /// A plug's call was not from the service, or could not be told apart from others.
        case refused(plug: String)
        /// A plug's call led to an error; the service is asked to call again.
        case failed(plug: String, PlugError)
    }

    /// Calls within this time of the first one cause a single run.
    private static let gathering: Int64 = 2_000_000
    /// The longest text that answers a handshake.
    private static let answerLimit = 1_024
    /// How many accounts one call may concern.
    private static let accountLimit = 1_000

    private let plugs: HostPlugs
    private let store: any PlugStore
    private let clock: any HostClock
    private let bell: Bell
    private let observer: @Sendable (Event) -> Void
    private let verifier = WebhookVerifier()
    private let index: AccountIndex

    /// - Parameters:
    ///   - plugs: The plugs that are served.
    ///   - store: Holds their connections.
    ///   - clock: Time.
    ///   - bell: Rung when a connection was made due.
    ///   - observer: Called with events of interest to an operator, from any thread.
    package init(
        _ plugs: HostPlugs,
        store: any PlugStore,
        clock: any HostClock,
        bell: Bell = Bell(),
        observer: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        self.plugs = plugs
        self.store = store
        self.clock = clock
        self.bell = bell
        self.observer = observer
        index = AccountIndex(store, clock: clock)
    }

    /// Answers a call to `/plugs/{plug}/webhook`. Its effect is on disk before it is answered.
    ///
    /// - Returns: 200 for an accepted call, even if it concerns no one here; 401 if it is not from the service; 404 if the plug
    ///   has no webhook, or the host no secret for it; 413; 503 if the service should call again.
    package func answer(_ call: WebhookCall, to plug: String) async -> WebhookAnswer {
        let current = plugs.current
        guard let webhook = current.manifests[plug]?.webhook, let secret = current.clients[webhook.provider]?.secret
        else {
            return WebhookAnswer(404)
        }
        guard call.body.count <= WebhookCall.bodyLimit else { return WebhookAnswer(413) }
        let verdict = verifier.verdict(call, webhook.verification, of: plug, secret: secret, now: clock.now())
        switch verdict {
        case .refused:
            observer(.refused(plug: plug))
            return WebhookAnswer(401)
        case .repeated: return WebhookAnswer(200)
        case .genuine, .unsigned: break
        }
        // A service may check that we exist before it signs anything.
        if let text = handshake(call, webhook) { return WebhookAnswer(200, text) }
        guard case .genuine(let id) = verdict else {
            observer(.refused(plug: plug))
            return WebhookAnswer(401)
        }
        do {
            let count = try await ring(call, webhook, plug)
            if let id { verifier.remember(id) }
            if count > 0 { observer(.rang(plug: plug, connections: count)) }
            return WebhookAnswer(200)
        } catch {
            observer(.failed(plug: plug, StoreErrors.plugError(error)))
            return WebhookAnswer(503)
        }
    }

    /// The answer to a handshake: one line of text that a browser cannot take for anything else.
    private func handshake(_ call: WebhookCall, _ webhook: Webhook) -> String? {
        guard let program = webhook.answer,
            let text = try? program.run(call.value, globals: call.globals).first?.stringText,
            (1...Self.answerLimit).contains(text.utf8.count),
            text.utf8.allSatisfy({ 0x20...0x7E ~= $0 && $0 != UInt8(ascii: "<") })
        else { return nil }
        return text
    }

    /// Makes the connections that a call concerns due.
    ///
    /// - Returns: How many were not due before.
    private func ring(_ call: WebhookCall, _ webhook: Webhook, _ plug: String) async throws -> Int {
        var connections: Set<ConnectionID> = []
        if let who = webhook.who {
            for account in accounts(try who.run(call.value, globals: call.globals)) {
                connections.formUnion(try await index.connections(of: plug, webhook, named: account))
            }
        } else {
            connections = Set(try await index.connections(of: plug))
        }
        var count = 0
        let due = clock.now() + Self.gathering
        for connection in connections where try await store.makeDue(connection, at: due) { count += 1 }
        if count > 0 { bell.ring() }
        return count
    }

    /// The distinct accounts that a program has found.
    private func accounts(_ outputs: [JSONValue]) -> Set<String> {
        var accounts: Set<String> = []
        for output in outputs.flatMap({ $0.elements ?? [$0] }) where accounts.count < Self.accountLimit {
            if let text = output.stringText ?? output.number.map({ _ in output.compactText }) { accounts.insert(text) }
        }
        return accounts
    }
}
