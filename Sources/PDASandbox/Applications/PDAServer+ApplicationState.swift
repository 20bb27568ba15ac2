internal import GRDB
internal import LosslessJSON
internal import PlugCore

extension PDAServer {
    /// The user for whom a state is computed: the status check carries that user's token.
    struct Viewer: Sendable {
        /// The PDA's `host:port` as the caller named it.
        var issuer: String
        /// `sub`, `nil` for the owner's.
        var subject: String?
    }

    /// The HATApplicationObject: the definition with its state as computed by this PDA now.
    ///
    /// - Parameter dependencies: Whether all dependencies could be enabled; only in the answer to a set-up.
    func state(of application: KnownApplication, for viewer: Viewer, dependencies: Bool? = nil) async throws
        -> JSONValue
    {
        var members: [JSONObject.Member] = [
            ("application", application.definition),
            ("setup", .bool(application.setUpVersion != nil)),
            ("enabled", .bool(application.isEnabled)),
        ]
        var isActive = application.isEnabled
        if isActive { isActive = try await store.hasItsDebit(application, at: clock.milliseconds) }
        if isActive { isActive = await answersForItself(application, viewer) }
        members.append(("active", .bool(isActive)))
        if application.isEnabled { members.append(("needsUpdating", .bool(application.needsUpdating))) }
        if let dependencies { members.append(("dependenciesEnabled", .bool(dependencies))) }
        // Compared exactly: a leading slash, as in some definitions, never matches.
        if application.isEnabled,
            let endpoint = application.definition["status"]?["recentDataCheckEndpoint"]?.stringText,
            let date = try await store.newestDate(at: endpoint)
        {
            members.append(("mostRecentData", .text(Timestamp.text(milliseconds: date))))
        }
        return .object(JSONObject(members))
    }

    /// The states of many applications; status checks are made at the same time.
    func states(of applications: [KnownApplication], for viewer: Viewer) async throws -> [JSONValue] {
        try await withThrowingTaskGroup(of: (Int, JSONValue).self) { group in
            for (at, application) in applications.enumerated() {
                group.addTask { (at, try await self.state(of: application, for: viewer)) }
            }
            var states = [JSONValue?](repeating: nil, count: applications.count)
            for try await (at, state) in group { states[at] = state }
            return states.compactMap { $0 }
        }
    }

    /// An `External` application is asked at its `statusUrl`, with a fresh token of its own.
    private func answersForItself(_ application: KnownApplication, _ viewer: Viewer) async -> Bool {
        let status = application.definition["status"]
        guard status?["kind"]?.stringText == "External" else { return true }
        guard let url = status?["statusUrl"]?.stringText, let expected = status?["expectedStatus"]?.number?.int64,
            let token = try? tokens.application(
                application.id,
                version: application.version,
                issuer: viewer.issuer,
                subject: viewer.subject
            )
        else { return false }
        return await outward.status(of: url, token: Secret(token)).map(Int64.init) == expected
    }
}

extension SandboxStore {
    /// Whether an application that reads data may do so: without `dataRetrieved` there is nothing to agree to.
    func hasItsDebit(_ application: KnownApplication, at now: Int64) async throws -> Bool {
        guard let name = application.dataRetrieved?["name"]?.stringText else { return application.dataRetrieved == nil }
        return try await dataDebit(application.dataDebitKey)?.active(at: now)?.bundle.name == name
    }

    /// When the newest record of exactly this endpoint was stored, in milliseconds since 1970.
    func newestDate(at endpoint: String) async throws -> Int64? {
        try await read { database in
            try Int64.fetchOne(
                database,
                sql: "SELECT max(date) FROM records WHERE endpoint = (SELECT id FROM endpoints WHERE path = ?)",
                arguments: [endpoint]
            )
        }
    }
}
