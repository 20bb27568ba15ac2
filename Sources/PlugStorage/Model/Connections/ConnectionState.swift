/// How a connection that is in trouble stands.
package enum ConnectionHealth: String, Sendable, CaseIterable {
    /// Its runs fail.
    case failing
    /// Its PDA does not take its records, or its service asks it to wait: nothing is lost, and nobody needs to do anything.
    case waiting

    /// The errors of a PDA that is away, or takes nothing at the moment.
    package static let codesOfPDA: Set<String> = [
        "pda-unreachable", "pda-unavailable", "pda-busy", "pda-failing", "pda-unanswered", "pda-wait",
        "pda-circuit-open", "pda-no-answer", "pda-transport", "pda-retries-spent", "outbox-full",
    ]
    /// The errors of a service that asks to wait.
    package static let codesOfService: Set<String> = ["rate-limited", "source-circuit-open"]
    /// All errors that pass by waiting.
    static let codesOfWaiting = codesOfPDA.union(codesOfService).sorted()

    /// What a trouble's code says.
    package init(code: String) {
        self = Self.codesOfPDA.contains(code) || Self.codesOfService.contains(code) ? .waiting : .failing
    }
}

/// How a connection stands: derived from its set-up and from how its runs end, everywhere in the same way.
package enum ConnectionState: Sendable, Equatable {
    /// The host runs it, and nothing is known against it.
    case active
    /// The host runs it, and its runs move nothing.
    case troubled(ConnectionHealth, ConnectionTrouble)
    /// It does not run until it is resumed.
    case paused
    /// It does not run until its person connects it again.
    case reconnect
    /// It does not run: its PDA has disabled the plug.
    case disabled
    /// No host runs it: only commands do.
    case unscheduled

    /// The state.
    ///
    /// - Parameters:
    ///   - status: That of its set-up; `nil` without one.
    ///   - trouble: How its last runs have ended.
    package init(_ status: ConnectionSetup.Status?, _ trouble: ConnectionTrouble?) {
        switch (status, trouble) {
        case (.active, let trouble?), (nil, let trouble?):
            self = .troubled(ConnectionHealth(code: trouble.code), trouble)
        case (.active, nil): self = .active
        case (.paused, _): self = .paused
        case (.reconnect, _): self = .reconnect
        case (.disabled, _): self = .disabled
        case (nil, nil): self = .unscheduled
        }
    }

    /// Its trouble, if the host runs it in vain.
    package var trouble: (health: ConnectionHealth, why: ConnectionTrouble)? {
        if case .troubled(let health, let trouble) = self { (health, trouble) } else { nil }
    }
}
