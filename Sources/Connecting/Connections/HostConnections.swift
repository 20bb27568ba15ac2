internal import Cryptography
internal import LosslessJSON
package import PlugCore
internal import PlugManifest
internal import PlugRuntime
package import PlugStorage
package import Syncing

/// A host's connections, as pages and programs create and change them. Each change records who made it.
package struct HostConnections: Sendable {
    private let store: any PlugStore
    private let plugs: HostPlugs
    private let clock: any HostClock
    private let bell: Bell

    /// The connections in a store.
    ///
    /// - Parameters:
    ///   - plugs: The plugs that the host serves.
    ///   - bell: Rung when a connection is due, so that the scheduler looks at once.
    package init(_ store: any PlugStore, _ plugs: HostPlugs, clock: any HostClock, bell: Bell) {
        self.bell = bell
        self.store = store
        self.plugs = plugs
        self.clock = clock
    }

    /// What a caller wants of an existing connection.
    package enum Wish: String, Sendable, CaseIterable {
        /// Not to run until it is resumed.
        case pause
        /// To run again, at once.
        case resume
        /// To run now, whatever its schedule.
        case run
    }

    /// The changes; `nil` leaves a value unchanged.
    package struct Change: Sendable {
        /// The streams; `.some(nil)` for all.
        package var streams: [String]??
        /// The first day to read; `.some(nil)` for the plug's choice. It counts before the first run.
        package var from: String??
        /// When it runs.
        package var schedule: ScheduleChoice?

        /// No changes yet.
        package init() {}
    }

    /// Creates a connection. Everything is checked before anything is kept. One whose PDA or source is not connected yet waits
    /// for that.
    ///
    /// - Throws: `PlugError` `connection-name`, `connection-pda`, `schedule-unclear` (usage), `plug-unknown`, `answer-…`,
    ///   `connection-exists`, schedule errors, `token-…` (77), and what the host lacks (`HostPlugs.Content.check`).
    package func create(_ draft: ConnectionDraft, by who: String) async throws -> Connection {
        let origin = try draft.checked()
        let id = ConnectionID(draft.name)
        let manifest = try manifest(draft.plug)
        let plan = try plan(draft, manifest)
        try plugs.current.check(manifest, config: plan.config, streams: plan.streams)
        let token = try draft.token.map { token throws(PlugError) in
            try ConnectionToken.kept(
                token,
                plug: manifest.id,
                pda: origin,
                acceptsForeign: draft.acceptsForeignToken,
                clock: clock
            )
        }
        let needsConsent = try manifest.choosing(plan.config).authorization.consent != nil
        let isWaiting = needsConsent || draft.token == nil
        let status: ConnectionSetup.Status = isWaiting ? .reconnect : draft.isPaused ? .paused : .active
        let setup = ConnectionSetup(
            status: status,
            dueAt: status == .active ? clock.now() : nil,
            content: plan.content
        )
        // All at once: half a connection would have a name and nothing that runs it.
        let change = entry(who, "added")
        let added = try await store.addConnection(
            id,
            plug: manifest.id,
            pda: origin,
            token: token,
            setup: setup,
            change
        )
        guard let added else {
            throw PlugError(
                .connectionExists,
                "there is already a connection '\(DisplayText.escaped(draft.name))'",
                advice: "choose another name, or change the existing one"
            )
        }
        bell.ring()
        return added
    }

    /// Creates a connection, with a name of its own, for a person who has logged in at their PDA. It waits until its source is
    /// connected too.
    ///
    /// - Parameter token: The token that the PDA issued for the plug.
    /// - Throws: `PlugError` `plug-unknown`, what the host lacks (`HostPlugs.Content.check`), errors of the store.
    package func begin(plug: String, at pda: String, _ token: KeptToken, by who: String) async throws -> Connection {
        let manifest = try manifest(plug)
        try plugs.current.check(manifest)
        let ending = SecureRandom.hexadecimal(bytes: 4)
        let id = ConnectionID("\(manifest.id.prefix(80))-\(ending)")
        let plan = ConnectionPlan(config: JSONObject())
        let setup = ConnectionSetup(status: .reconnect, dueAt: nil, content: plan.content)
        let change = entry(who, "added")
        let added = try await store.addConnection(id, plug: manifest.id, pda: pda, token: token, setup: setup, change)
        // One of four thousand million names: a clash is retried.
        guard let added else { return try await begin(plug: plug, at: pda, token, by: who) }
        return added
    }

    /// Changes the set-up of a connection. If active it is due at once: its streams may include some that never ran.
    ///
    /// - Throws: `PlugError` `setup-missing`, `setup-unreadable`, `schedule-unclear`, `plug-unknown`, schedule errors.
    package func change(_ connection: Connection, _ change: Change, by who: String) async throws {
        guard let setup = try await store.setup(of: connection.id) else { throw Self.setupMissing(connection.id) }
        var plan = try ConnectionPlan(content: setup.content, of: connection.id)
        if let streams = change.streams { plan.streams = streams }
        if let from = change.from {
            try FirstDay.check(from)
            plan.from = from
        }
        if let schedule = change.schedule {
            try schedule.check()
            (plan.every, plan.cron, plan.zone) = (schedule.every, schedule.cron, schedule.zone)
        }
        _ = try SyncSchedule(plan, try manifest(connection.plug))
        var changed = setup
        changed.content = plan.content
        if changed.status == .active { changed.dueAt = clock.now() }
        try await store.keepSetup(changed, of: connection.id, entry(who, "set up"))
        bell.ring()
    }

    /// Pauses, resumes or runs a connection. One that its PDA has disabled, or that waits to be connected again, cannot be run
    /// this way.
    ///
    /// - Throws: `PlugError` `setup-missing`, `connection-waits`, and what the host lacks (`HostPlugs.Content.check`).
    ///
    /// - Parameter isConnected: Whether its person has connected it again, as far as the caller knows: then it no longer waits.
    package func wish(
        _ wish: Wish,
        for connection: Connection,
        isConnected: Bool = false,
        by who: String
    ) async throws {
        guard let setup = try await store.setup(of: connection.id) else { throw Self.setupMissing(connection.id) }
        // A plug that is no longer served may be served again: only a run tells.
        if wish != .pause, let manifest = plugs.current.manifests[connection.plug] {
            let plan = try ConnectionPlan(content: setup.content, of: connection.id)
            try plugs.current.check(manifest, config: plan.config, streams: plan.streams)
        }
        guard isConnected || ![.reconnect, .disabled].contains(setup.status) else {
            throw PlugError(
                .connectionWaits,
                "connection '\(DisplayText.escaped(connection.id.name))' waits until its person connects it again",
                advice: "connect it again; it then runs automatically"
            )
        }
        let (status, word): (ConnectionSetup.Status, String) =
            switch wish {
            case .pause: (.paused, "paused")
            case .resume: (.active, "resumed")
            case .run: (.active, "run now")
            }
        let dueAt = status == .active ? clock.now() : nil
        let isThere = try await store.changeSetup(
            of: connection.id,
            status: status,
            dueAt: dueAt,
            entry(who, word)
        )
        guard isThere else { throw Self.setupMissing(connection.id) }
        bell.ring()
    }

    private func manifest(_ id: String) throws(PlugError) -> Manifest {
        let manifests = plugs.current.manifests
        if let manifest = manifests[id] { return manifest }
        let known = manifests.keys.sorted()
        throw PlugError(
            .plugUnknown,
            "this host serves no plug '\(DisplayText.escaped(id))'",
            advice: Spelling.question(id, in: known) ?? "it serves: \(known.joined(separator: ", "))"
        )
    }

    private func plan(_ draft: ConnectionDraft, _ manifest: Manifest) throws(PlugError) -> ConnectionPlan {
        try draft.schedule.check()
        var plan = ConnectionPlan(config: try PlanAnswers.checked(draft.config, for: manifest))
        plan.streams = draft.streams
        try FirstDay.check(draft.from)
        plan.from = draft.from
        plan.acceptsForeignToken = draft.acceptsForeignToken
        (plan.every, plan.cron, plan.zone) = (draft.schedule.every, draft.schedule.cron, draft.schedule.zone)
        _ = try SyncSchedule(plan, manifest)
        return plan
    }

    private func entry(_ who: String, _ what: String) -> AuditEntry {
        AuditEntry(at: clock.now(), who: who, what: what)
    }

    private static func setupMissing(_ id: ConnectionID) -> PlugError {
        PlugError(
            .setupMissing,
            "no host runs connection '\(DisplayText.escaped(id.name))': it has no set-up",
            advice: "'plughost connection add \(DisplayText.escaped(id.name)) PATH …' gives it one"
        )
    }
}
