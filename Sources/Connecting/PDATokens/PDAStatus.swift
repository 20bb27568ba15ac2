package import LosslessJSON
package import PlugCore
internal import PlugRuntime
package import PlugStorage

/// Answers a PDA that asks whether a plug works (`GET /plugs/{id}/api/status`), and adopts the fresh token that it brings.
///
/// A PDA asks with a new application token in `x-auth-token` and waits five seconds. The answer comes from stored state. No other
/// server is contacted, unless the token is for this plug, from a PDA with a connection, for the same person, and no older than
/// the one kept: only then may the PDA's key be fetched if it is not known yet.
package struct PDAStatus: Sendable {
    /// The response to the PDA.
    package struct Answer: Sendable, Equatable {
        /// 200 if the plug works for this person, else 403: the `expectedStatus` of the application is 200.
        package var status: Int
        /// `{"message", "cause"}`, as PDAs write it.
        package var body: JSONValue
        /// Connections that were waiting for their PDA and are due now: the scheduler looks at once.
        package var woken: [ConnectionID] = []
    }

    private let store: any PlugStore
    private let tokens: ShownTokens
    private let clock: any HostClock

    /// How long a PDA may take to give its key: the answer must be there within a second.
    private static let patience = Duration.milliseconds(700)
    /// The errors of a run that had no token its PDA accepts.
    private static let waitsForPDA: Set<String> = [
        "pda-token", "pda-login", "pda-forbidden", "token-missing", "token-expired", "token-idle", "token-empty",
        "token-malformed", "token-application", "token-issuer",
    ]

    /// - Parameters:
    ///   - store: Where everything is kept.
    ///   - verifier: Holds PDAs' keys.
    package init(_ store: any PlugStore, _ verifier: PDATokenVerifier, clock: any HostClock) {
        self.store = store
        tokens = ShownTokens(store, verifier, clock: clock)
        self.clock = clock
    }

    /// Answers a status request.
    ///
    /// - Parameters:
    ///   - plug: The plug that the address names.
    ///   - token: The header `x-auth-token`.
    package func answer(plug: String, token: Secret?) async -> Answer {
        do {
            guard let token,
                let shown = try await tokens.verified(token, plug: plug, onlyNew: true, within: Self.patience)
            else { return Self.refused }
            return try await takeOver(shown.token, shown.connections)
        } catch { return Self.refused }
    }

    /// Syncs now whatever a PDA has connected, for the PDA itself. Anything disabled there stays so: only its status check, which
    /// follows a set-up, says that it is wanted again.
    ///
    /// - Parameters:
    ///   - plug: The plug.
    ///   - pda: The PDA's origin: its token was verified.
    /// - Returns: 200 if a connection is active, and so runs; else 403. `woken` are those that have just become due.
    package func tickle(plug: String, of pda: String) async throws -> Answer {
        var (works, woken) = (false, [ConnectionID]())
        for connection in try await store.connections(of: plug, at: pda) {
            guard try await store.setup(of: connection.id)?.status == .active else { continue }
            works = true
            if try await store.makeDue(connection.id, at: clock.now()) { woken.append(connection.id) }
        }
        if works { return Answer(status: 200, body: .members(("message", .text("Tickled"))), woken: woken) }
        return Answer(status: 403, body: Self.body("Forbidden", "Account is inactive"))
    }

    /// Adopts the token that a person has brought from their PDA, for all their connections of a plug. Those that were waiting
    /// only for that become due.
    ///
    /// - Returns: The connections, ordered by name, none if the person has not connected the plug yet; and those that are due.
    package func takeOver(
        _ token: VerifiedPDAToken,
        plug: String
    ) async throws -> (known: [Connection], woken: [ConnectionID]) {
        let known = try await store.connections(of: plug, at: token.pda)
        return (known, try await takeOver(token, known).woken)
    }

    private func takeOver(_ token: VerifiedPDAToken, _ connections: [Connection]) async throws -> Answer {
        var (works, woken) = (false, [ConnectionID]())
        for connection in connections {
            try await store.keepToken(token.kept, of: connection.id)
            guard let setup = try await store.setup(of: connection.id) else { continue }
            if try await wakes(connection.id, setup) {
                let now = clock.now()
                let change = AuditEntry(at: now, who: "pda", what: "gave a new token")
                _ = try await store.changeSetup(of: connection.id, status: .active, dueAt: now, change)
                woken.append(connection.id)
                works = true
            } else if setup.status == .active || setup.status == .paused {
                works = true
            }
        }
        if works { return Answer(status: 200, body: Self.body("OK", "the plug is connected"), woken: woken) }
        return Answer(status: 403, body: Self.body("Forbidden", "the account at the source has to be connected again"))
    }

    /// Whether a connection waits only for a token of its PDA.
    private func wakes(_ connection: ConnectionID, _ setup: ConnectionSetup) async throws -> Bool {
        switch setup.status {
        case .active, .paused: return false
        case .disabled: return true
        case .reconnect:
            guard let report = try await store.runs(of: connection, limit: 1).first?.report else { return false }
            let code = (try? JSONValue(parsing: report))?["error"]?["code"]?.stringText
            return code.map(Self.waitsForPDA.contains) ?? false
        }
    }

    /// The same for every unknown caller, whatever the reason: it does not reveal who has a connection here.
    private static let refused = Answer(status: 403, body: body("Forbidden", "the plug is not connected"))

    private static func body(_ message: String, _ cause: String) -> JSONValue {
        .members(("message", .text(message)), ("cause", .text(cause)))
    }
}
