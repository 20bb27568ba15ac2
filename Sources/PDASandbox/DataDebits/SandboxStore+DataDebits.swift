internal import GRDB
internal import LosslessJSON
internal import PDAWire

/// Why a data debit could not be created or changed.
enum DataDebitFailure: Error, Equatable {
    case exists
    case bundleExists
    case unknown
    /// The bundle belongs to another data debit.
    case bundleLinked(String)
    /// A stored bundle of this name belongs to no data debit: a constraint of the reference server's database.
    case bundleKept
}

extension SandboxStore {
    /// Every data debit, in no reliable order.
    func dataDebits() async throws -> [DataDebit] { try await read { try Self.debits("1", [], $0) } }

    func dataDebit(_ key: String) async throws -> DataDebit? { try await read { try Self.debit(key, $0) } }

    static func debit(_ key: String, _ database: Database) throws -> DataDebit? {
        try debits("key = ?", [key], database).first
    }

    private static func debits(_ condition: String, _ arguments: StatementArguments, _ database: Database) throws
        -> [DataDebit]
    {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT number, key, created, clientName, clientURL, clientLogoURL, applicationID, description
                FROM dataDebits WHERE \(condition) ORDER BY number
                """,
            arguments: arguments
        )
        return try rows.map { row in
            DataDebit(
                key: row[1],
                created: row[2],
                clientName: row[3],
                clientURL: row[4],
                clientLogoURL: row[5],
                applicationID: row[6],
                description: row[7],
                permissions: try permissions(row[0], database)
            )
        }
    }

    private static func permissions(_ debit: Int64, _ database: Database) throws -> [DataDebit.Permission] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT permission.created, purpose, start, period, cancelsAtPeriodEnd, canceled, termsURL, accepted,
                    bundle, content.properties, conditions, demanded.properties
                FROM dataDebitPermissions AS permission JOIN bundles AS content ON content.name = bundle
                LEFT JOIN bundles AS demanded ON demanded.name = conditions
                WHERE debit = ? ORDER BY number
                """,
            arguments: [debit]
        )
        return try rows.map { row in
            var conditions: DataBundle?
            if let name = row[10] as String?, let text = row[11] as String? {
                conditions = try DataBundle(name: name, stored: text)
            }
            return DataDebit.Permission(
                created: row[0],
                purpose: row[1],
                start: row[2],
                period: row[3],
                cancelsAtPeriodEnd: row[4],
                canceled: row[5],
                termsURL: row[6],
                conditions: conditions,
                bundle: try DataBundle(name: row[8], stored: row[9]),
                isAccepted: row[7]
            )
        }
    }

    // MARK: Proposing

    /// Stores a proposal for a new data debit; its sender may read and change it from now on.
    func createDebit(_ key: String, _ request: DataDebitRequest, by user: Int64, at now: Int64) async throws
        -> DataDebit
    {
        try await write { try Self.createDebit(key, request, by: user, at: now, $0) }
    }

    static func createDebit(
        _ key: String,
        _ request: DataDebitRequest,
        by user: Int64,
        at now: Int64,
        _ database: Database
    ) throws -> DataDebit {
        guard try number(key, database) == nil else { throw DataDebitFailure.exists }
        for bundle in [request.bundle, request.conditions].compactMap({ $0 }) {
            guard try Self.bundle(bundle.name, database) == nil else { throw DataDebitFailure.bundleExists }
            try insert(bundle, database)
        }
        try database.execute(
            sql: """
                INSERT INTO dataDebits
                (key, created, clientName, clientURL, clientLogoURL, applicationID, description)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                key, now, request.clientName, request.clientURL, request.clientLogoURL, request.applicationID,
                request.description,
            ]
        )
        try insert(request, database.lastInsertedRowID, now, database)
        try grant(.dataDebit(key), to: user, database)
        guard let debit = try debit(key, database) else { throw DataDebitFailure.unknown }
        return debit
    }

    /// Stores another proposal, which takes effect once the owner enables it.
    func updateDebit(_ key: String, _ request: DataDebitRequest, at now: Int64) async throws -> DataDebit {
        try await write { try Self.updateDebit(key, request, at: now, $0) }
    }

    static func updateDebit(_ key: String, _ request: DataDebitRequest, at now: Int64, _ database: Database) throws
        -> DataDebit
    {
        guard let number = try number(key, database) else { throw DataDebitFailure.unknown }
        for bundle in [request.bundle, request.conditions].compactMap({ $0 }) {
            guard try Self.bundle(bundle.name, database) != nil else {
                try insert(bundle, database)
                continue
            }
            // The data debit's own bundle keeps its content, whatever the proposal says.
            let users = try Set(
                Int64.fetchAll(
                    database,
                    sql: "SELECT debit FROM dataDebitPermissions WHERE bundle = ?1 OR conditions = ?1",
                    arguments: [bundle.name]
                )
            )
            if users.isEmpty { throw DataDebitFailure.bundleKept }
            guard users == [number] else { throw DataDebitFailure.bundleLinked(bundle.name) }
        }
        try insert(request, number, now, database)
        guard let debit = try debit(key, database) else { throw DataDebitFailure.unknown }
        return debit
    }

    private static func number(_ key: String, _ database: Database) throws -> Int64? {
        try Int64.fetchOne(database, sql: "SELECT number FROM dataDebits WHERE key = ?", arguments: [key])
    }

    private static func insert(_ bundle: DataBundle, _ database: Database) throws {
        try database.execute(
            sql: "INSERT INTO bundles VALUES (?, ?)",
            arguments: [bundle.name, DataBundle.json(bundle.properties).compactText]
        )
    }

    private static func insert(_ request: DataDebitRequest, _ number: Int64, _ now: Int64, _ database: Database) throws
    {
        try database.execute(
            sql: """
                INSERT INTO dataDebitPermissions (debit, created, purpose, start, period, cancelsAtPeriodEnd,
                    canceled, termsURL, conditions, bundle, accepted)
                VALUES (?, ?, ?, ?, ?, ?, NULL, ?, ?, ?, 0)
                """,
            arguments: [
                number, now, request.purpose, request.start, request.period, request.cancelsAtPeriodEnd,
                request.termsURL, request.conditions?.name, request.bundle.name,
            ]
        )
    }

    // MARK: Agreeing

    /// Accepts the latest proposal, and nothing else; `nil` if the data debit is unknown.
    func enableDebit(_ key: String) async throws -> DataDebit? { try await write { try Self.enableDebit(key, $0) } }

    static func enableDebit(_ key: String, _ database: Database) throws -> DataDebit? {
        guard let number = try number(key, database) else { return nil }
        try database.execute(
            sql: """
                UPDATE dataDebitPermissions SET accepted = 0 WHERE debit = ?1;
                """,
            arguments: [number]
        )
        try database.execute(
            sql: """
                UPDATE dataDebitPermissions SET accepted = 1, canceled = NULL WHERE debit = ?1 AND bundle =
                    (SELECT bundle FROM dataDebitPermissions WHERE debit = ?1 ORDER BY number DESC LIMIT 1)
                """,
            arguments: [number]
        )
        return try debit(key, database)
    }

    /// Ends the agreement now or with its period; `nil` if the data debit is unknown.
    func disableDebit(_ key: String, atPeriodEnd: Bool, at now: Int64) async throws -> DataDebit? {
        try await write { try Self.disableDebit(key, atPeriodEnd: atPeriodEnd, at: now, $0) }
    }

    static func disableDebit(_ key: String, atPeriodEnd: Bool, at now: Int64, _ database: Database) throws -> DataDebit?
    {
        guard let number = try number(key, database) else { return nil }
        try database.execute(
            sql: "UPDATE dataDebitPermissions SET canceled = ?, cancelsAtPeriodEnd = ? WHERE debit = ?",
            arguments: [now, atPeriodEnd, number]
        )
        return try debit(key, database)
    }
}
