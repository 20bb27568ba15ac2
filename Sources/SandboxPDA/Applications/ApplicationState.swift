internal import GRDB
internal import LosslessJSON
internal import PlugCore

extension SandboxStore {
    /// The HATApplicationObject: the definition with the state that this PDA computes.
    ///
    /// An `External` status counts as passed while the application is enabled: the sandbox does not call `statusUrl` yet.
    ///
    /// - Parameter dependencies: Whether all dependencies could be enabled, in the answer to a set-up only.
    func state(of application: KnownApplication, dependencies: Bool? = nil) async throws -> JSONValue {
        var members: [JSONObject.Member] = [
            ("application", application.definition),
            ("setup", .bool(application.setUpVersion != nil)),
            ("enabled", .bool(application.isEnabled)),
            ("active", .bool(application.isEnabled)),
        ]
        if application.isEnabled { members.append(("needsUpdating", .bool(application.needsUpdating))) }
        if let dependencies { members.append(("dependenciesEnabled", .bool(dependencies))) }
        // Compared exactly: a leading slash, as some definitions have it, never matches.
        if application.isEnabled,
            let endpoint = application.definition["status"]?["recentDataCheckEndpoint"]?.stringText,
            let date = try await newestDate(at: endpoint)
        {
            members.append(("mostRecentData", .text(Timestamp.text(milliseconds: date))))
        }
        return .object(JSONObject(members))
    }

    private func newestDate(at endpoint: String) async throws -> Int64? {
        try await read { database in
            try Int64.fetchOne(
                database,
                sql: "SELECT max(date) FROM records WHERE endpoint = (SELECT id FROM endpoints WHERE path = ?)",
                arguments: [endpoint]
            )
        }
    }
}
