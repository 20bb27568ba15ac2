package import PlugCore
package import PlugStorage

/// Browsers' login sessions.
package struct HostSessions: Sendable {
    private let store: any AccessStore
    private let clock: any HostClock
    private let operators: @Sendable () -> [String]
    /// A use sooner than this after the last one is not recorded.
    private static let granule: Int64 = 60 * 1_000_000

    /// Sessions in a store.
    ///
    /// - Parameter operators: Who may be an operator now; empty for anyone who has logged in as one.
    package init(
        _ store: any AccessStore,
        clock: any HostClock,
        operators: @escaping @Sendable () -> [String] = { [] }
    ) {
        self.store = store
        self.clock = clock
        self.operators = operators
    }

    /// The visitor who is logged in with a browser.
    func visitor(_ browser: BrowserSecret) async throws -> Visitor? {
        if browser.isNew { return nil }
        let now = clock.now()
        guard let session = try await store.session(browser.hash, at: now) else { return nil }
        if now - session.seenAt >= Self.granule {
            try await PassingNote.write {
                _ = try await store.extendSession(browser.hash, seenAt: now, endsAt: now + session.role.idle)
            }
        }
        switch session.role {
        case .person: return .person(pda: session.subject)
        case .operator:
            // Anyone who is no longer an operator is logged out at once.
            let known = operators()
            return known.isEmpty || known.contains(session.subject) ? .operator(session.subject) : nil
        }
    }

    /// Logs a visitor in, and ends the browser's previous session.
    ///
    /// - Returns: A redirect to a page, with the browser's new secret.
    package func logIn(
        _ role: StoredSession.Role,
        _ subject: String,
        with browser: BrowserSecret,
        leadingTo path: String
    ) async throws -> HostAnswer {
        let now = clock.now()
        let secret = BrowserSecret()
        let session = StoredSession(
            hash: secret.hash,
            role: role,
            subject: subject,
            createdAt: now,
            endsAt: now + role.idle,
            lastsUntil: now + role.whole
        )
        try await store.beginSession(session, replacing: browser.isNew ? nil : browser.hash)
        var answer = HostAnswer.redirect(to: path)
        answer.cookie = .set(secret, seconds: role.whole / 1_000_000)
        return answer
    }

    /// Logs a browser out.
    package func logOut(_ browser: BrowserSecret, leadingTo path: String) async throws -> HostAnswer {
        if !browser.isNew { _ = try await store.endSession(browser.hash) }
        var answer = HostAnswer.redirect(to: path)
        answer.cookie = .removed
        return answer
    }
}

extension StoredSession.Role {
    private static let hour: Int64 = 3600 * 1_000_000

    /// How long a session lasts without use.
    fileprivate var idle: Int64 { self == .operator ? Self.hour : 12 * Self.hour }
    /// How long a session lasts at most.
    fileprivate var whole: Int64 { self == .operator ? 12 * Self.hour : 30 * 24 * Self.hour }
}
