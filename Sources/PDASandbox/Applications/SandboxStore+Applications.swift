internal import GRDB
package import LosslessJSON
internal import PDAWire
package import PlugCore

extension SandboxStore {
    /// Registers a definition (a bare Application), or replaces an older one; its state stays.
    ///
    /// - Returns: Its id.
    /// - Throws: `PlugError` `sandbox-application` (configuration) if it has no id or version.
    @discardableResult
    package func register(_ definition: JSONValue) async throws(PlugError) -> String {
        guard let id = definition["id"]?.stringText, !id.isEmpty,
            let version = definition["info"]?["version"]?.stringText, Version(version) != nil
        else {
            throw PlugError(
                .sandboxApplication,
                "an application has no 'id' or no 'info.version' of the form n.n.n",
                advice: "add both to its definition"
            )
        }
        let text = definition.compactText
        try await writing { database in
            try database.execute(
                sql: """
                    INSERT INTO applications (id, definition) VALUES (?, ?)
                    ON CONFLICT (id) DO UPDATE SET definition = excluded.definition
                    """,
                arguments: [id, text]
            )
        }
        return id
    }

    /// Sets up a known application and enables it, as the owner would.
    ///
    /// - Throws: `PlugError` `sandbox-application` (configuration) if it is unknown.
    package func setUp(application id: String) async throws(PlugError) {
        do {
            guard let definition = try await definition(id) else { throw Self.unknown(id) }
            try await setUp(Self.known(definition, nil), at: SystemClock().milliseconds)
        } catch {
            throw Self.failure(error, folder)
        }
    }

    /// A write token for a known application, as the owner would request it. Valid for a sandbox that runs now or later.
    ///
    /// - Parameter issuer: The PDA's `host:port`; `nil` takes the address of the sandbox's last run, or the default.
    /// - Throws: `PlugError` `sandbox-application` (configuration) if it is unknown.
    package func token(application id: String, issuer: String? = nil) async throws(PlugError) -> Secret {
        do {
            guard let definition = try await definition(id) else { throw Self.unknown(id) }
            var authority = issuer
            if authority == nil { authority = try await read { try Self.fact("address", $0) } }
            let tokens = Tokens(key: key, subject: try await subject(), clock: SystemClock())
            let version = Self.known(definition, nil).version
            let token = try tokens.application(id, version: version, issuer: authority ?? "127.0.0.1:8899")
            return Secret(token)
        } catch {
            throw Self.failure(error, folder)
        }
    }

    /// Remembers where the sandbox listens, for tokens that are made without it.
    func remember(address: String) async throws { try await write { try Self.setFact("address", address, $0) } }

    private func writing(_ body: @Sendable @escaping (Database) throws -> Void) async throws(PlugError) {
        do { try await write(body) } catch { throw Self.failure(error, folder) }
    }

    private static func unknown(_ id: String) -> PlugError {
        PlugError(
            .sandboxApplication,
            "this sandbox does not know the application '\(id)'",
            advice:
                "start it with --plugs PATH, or name the manifest; what is only in its --directory-upstream is set up over "
                + "HTTP, with 'plughost pda applications setup', and 'applications token'"
        )
    }

    // MARK: Definitions

    func definition(_ id: String) async throws -> JSONValue? {
        try await read { database in
            try String.fetchOne(database, sql: "SELECT definition FROM applications WHERE id = ?", arguments: [id])
        }.map { try JSONValue(parsing: $0) }
    }

    func definitions() async throws -> [JSONValue] {
        try await read { try String.fetchAll($0, sql: "SELECT definition FROM applications ORDER BY id") }
            .map { try JSONValue(parsing: $0) }
    }

    // MARK: States

    /// What this PDA remembers of an application.
    struct ApplicationRow: Sendable, Equatable {
        var version: String
        var isEnabled: Bool
    }

    /// A definition with its state.
    static func known(_ definition: JSONValue, _ row: ApplicationRow?) -> KnownApplication {
        KnownApplication(
            definition: definition,
            setUpVersion: row?.version,
            isEnabled: row?.isEnabled ?? false
        )
    }

    func applicationRow(_ id: String) async throws -> ApplicationRow? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT version, isEnabled FROM applicationStates WHERE id = ?",
                arguments: [id]
            ).map { ApplicationRow(version: $0[0], isEnabled: $0[1]) }
        }
    }

    func applicationRows() async throws -> [String: ApplicationRow] {
        try await read { database in
            let rows = try Row.fetchAll(database, sql: "SELECT id, version, isEnabled FROM applicationStates")
            return Dictionary(
                rows.map { ($0[0], ApplicationRow(version: $0[1], isEnabled: $0[2])) },
                uniquingKeysWith: { $1 }
            )
        }
    }

    /// Enables an application with its definition's version, and what it may read with it: the data debit `app-ID`.
    ///
    /// - Throws: `DataDebitFailure` or `ShapeRefusal` if the data debit cannot be made; nothing is changed then.
    func setUp(_ application: KnownApplication, at now: Int64) async throws {
        let (id, version) = (application.id, application.version)
        let request = try DataDebitRequest(of: application, at: now)
        try await write { database in
            if let request { try Self.agree(to: request, for: application, at: now, database) }
            try database.execute(
                sql: """
                    INSERT INTO applicationStates (id, version, isEnabled) VALUES (?, ?, 1)
                    ON CONFLICT (id) DO UPDATE SET version = excluded.version, isEnabled = 1
                    """,
                arguments: [id, version]
            )
        }
    }

    private static func agree(
        to request: DataDebitRequest,
        for application: KnownApplication,
        at now: Int64,
        _ database: Database
    ) throws {
        let key = application.dataDebitKey
        if try debit(key, database) == nil {
            try makeOwner(database)
            _ = try createDebit(key, request, by: User.ownerNumber, at: now, database)
        } else {
            _ = try updateDebit(key, request, at: now, database)
        }
        _ = try enableDebit(key, database)
    }

    /// Disables an application, and its data debit at once; it stays set up if it was.
    func disable(_ id: String, at now: Int64) async throws {
        try await write { database in
            try database.execute(sql: "UPDATE applicationStates SET isEnabled = 0 WHERE id = ?", arguments: [id])
            _ = try Self.disableDebit(KnownApplication.dataDebitKey(id), atPeriodEnd: false, at: now, database)
        }
    }
}
