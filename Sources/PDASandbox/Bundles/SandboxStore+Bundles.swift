internal import GRDB
internal import LosslessJSON

extension SandboxStore {
    /// Stores a bundle, or replaces the properties of the one with this name: even one that a data debit uses.
    func setBundle(_ name: String, _ properties: [DataBundle.Property]) async throws {
        let text = DataBundle.json(properties).compactText
        try await write { database in
            try database.execute(
                sql: "INSERT INTO bundles VALUES (?, ?) ON CONFLICT DO UPDATE SET properties = excluded.properties",
                arguments: [name, text]
            )
        }
    }

    func bundle(_ name: String) async throws -> DataBundle? { try await read { try Self.bundle(name, $0) } }

    static func bundle(_ name: String, _ database: Database) throws -> DataBundle? {
        try String.fetchOne(database, sql: "SELECT properties FROM bundles WHERE name = ?", arguments: [name])
            .map { try DataBundle(name: name, stored: $0) }
    }

    func setCombinator(_ name: String, _ queries: [EndpointQuery]) async throws {
        let text = JSONValue.array(queries.map(\.json)).compactText
        try await write { database in
            try database.execute(
                sql: "INSERT INTO combinators VALUES (?, ?) ON CONFLICT DO UPDATE SET queries = excluded.queries",
                arguments: [name, text]
            )
        }
    }

    func combinator(_ name: String) async throws -> [EndpointQuery]? {
        try await read { database in
            try String.fetchOne(database, sql: "SELECT queries FROM combinators WHERE name = ?", arguments: [name])
        }.map { try ShapeReader(JSONValue(parsing: $0, limits: .record)).elements().map { try EndpointQuery($0) } }
    }
}
