internal import GRDB
public import LosslessJSON
internal import PDAWire
public import PlugCore

/// An application that this PDA can resolve, with its state.
struct KnownApplication: Sendable {
    var definition: JSONValue
    var setUpVersion: String?
    var isEnabled: Bool

    var id: String { definition["id"]?.stringText ?? "" }
    var version: String { definition["info"]?["version"]?.stringText ?? "1.0.0" }

    /// The roles that its definition asks for. One that needs a detail and lacks it, or has one it must not have, is
    /// `unknown` to the reference server and grants nothing.
    var roles: [Role] {
        (definition["permissions"]?["rolesGranted"]?.elements ?? []).compactMap { role in
            role["role"]?.stringText.flatMap { Role(granted: $0, detail: role["detail"]?.stringText) }
        }
    }
}

extension SandboxStore {
    /// Makes a definition (a bare Application) known, or replaces an older one; its state stays.
    ///
    /// - Returns: Its id.
    /// - Throws: `PlugError` `sandbox-application` (configuration) where it has no id or version.
    @discardableResult
    public func register(_ definition: JSONValue) async throws(PlugError) -> String {
        guard let id = definition["id"]?.stringText, !id.isEmpty,
            let version = definition["info"]?["version"]?.stringText, Version(version) != nil
        else {
            throw PlugError(
                "sandbox-application",
                exit: .configuration,
                "an application has no 'id' or no 'info.version' of the form n.n.n",
                advice: "give its definition both"
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

    /// Sets a known application up and enables it, as the owner would.
    ///
    /// - Throws: `PlugError` `sandbox-application` (configuration) where it is unknown.
    public func setUp(application id: String) async throws(PlugError) {
        do {
            guard try await setUpIfKnown(id) else { throw Self.unknown(id) }
        } catch {
            throw Self.failure(error, folder)
        }
    }

    /// A write token for a known application, as the owner would ask for it. Good for a sandbox that runs now or later.
    ///
    /// - Parameter issuer: The PDA's `host:port`; `nil` takes the address at which the sandbox ran last, or the usual one.
    /// - Throws: `PlugError` `sandbox-application` (configuration) where it is unknown.
    public func token(application id: String, issuer: String? = nil) async throws(PlugError) -> Secret {
        do {
            guard let application = try await application(id) else { throw Self.unknown(id) }
            var authority = issuer
            if authority == nil { authority = try await read { try Self.fact("address", $0) } }
            let tokens = Tokens(key: key, subject: try await subject(), clock: SystemClock())
            let token = try tokens.application(id, version: application.version, issuer: authority ?? "127.0.0.1:8899")
            return Secret(token)
        } catch {
            throw Self.failure(error, folder)
        }
    }

    /// The HATApplicationObject of a known application, `nil` where it is unknown.
    public func state(application id: String) async throws(PlugError) -> JSONValue? {
        do {
            guard let application = try await application(id) else { return nil }
            return try await state(of: application)
        } catch {
            throw Self.failure(error, folder)
        }
    }

    /// Remembers where the sandbox listens, for tokens that are made beside it.
    func remember(address: String) async throws { try await write { try Self.setFact("address", address, $0) } }

    private func writing(_ body: @Sendable @escaping (Database) throws -> Void) async throws(PlugError) {
        do { try await write(body) } catch { throw Self.failure(error, folder) }
    }

    private static func unknown(_ id: String) -> PlugError {
        PlugError(
            "sandbox-application",
            exit: .configuration,
            "this sandbox does not know the application '\(id)'",
            advice: "start it with --plugs PATH, or name the manifest"
        )
    }

    // MARK: For the routes

    func application(_ id: String) async throws -> KnownApplication? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: "SELECT definition, setUpVersion, isEnabled FROM applications WHERE id = ?",
                arguments: [id]
            ).flatMap(Self.known)
        }
    }

    func applications() async throws -> [KnownApplication] {
        try await read { database in
            try Row.fetchAll(database, sql: "SELECT definition, setUpVersion, isEnabled FROM applications ORDER BY id")
                .compactMap(Self.known)
        }
    }

    private static func known(_ row: Row) throws -> KnownApplication? {
        let definition: String = row[0]
        return KnownApplication(
            definition: try JSONValue(parsing: definition),
            setUpVersion: row[1],
            isEnabled: row[2]
        )
    }

    /// Enables an application with its definition's version; `false` where it is unknown.
    func setUpIfKnown(_ id: String) async throws -> Bool {
        guard let application = try await application(id) else { return false }
        let version = application.version
        try await write { database in
            try database.execute(
                sql: "UPDATE applications SET setUpVersion = ?, isEnabled = 1 WHERE id = ?",
                arguments: [version, id]
            )
        }
        return true
    }

    /// Disables an application; it stays set up if it was.
    func disable(_ id: String) async throws {
        try await write { try $0.execute(sql: "UPDATE applications SET isEnabled = 0 WHERE id = ?", arguments: [id]) }
    }
}
