internal import GRDB

/// A requested password reset. The reference server mails it; here it is shown on the owner's page.
struct PasswordReset: Sendable, Equatable {
    var token: String
    var email: String
    /// Milliseconds since 1970.
    var made: Int64
    var expires: Int64
}

extension SandboxStore {
    /// Stores a reset, and removes those that ended a day ago.
    func add(_ reset: PasswordReset) async throws {
        try await write { database in
            try database.execute(
                sql: "DELETE FROM resets WHERE expires < ?",
                arguments: [reset.made - 86_400_000]
            )
            try database.execute(
                sql: "INSERT INTO resets VALUES (?, ?, ?, ?)",
                arguments: [reset.token, reset.email, reset.made, reset.expires]
            )
        }
    }

    /// A reset by its token.
    func reset(_ token: String) async throws -> PasswordReset? {
        try await read { try Self.resets("token = ?", [token], $0).first }
    }

    /// Resets that can still be used, newest first.
    func openResets(at now: Int64) async throws -> [PasswordReset] {
        try await read { try Self.resets("expires > ?", [now], $0) }
    }

    /// Removes a used reset: each works only once.
    func removeReset(_ token: String) async throws {
        try await write { try $0.execute(sql: "DELETE FROM resets WHERE token = ?", arguments: [token]) }
    }

    private static func resets(_ condition: String, _ arguments: StatementArguments, _ database: Database) throws
        -> [PasswordReset]
    {
        let sql = "SELECT token, email, made, expires FROM resets WHERE \(condition) ORDER BY made DESC, token LIMIT 20"
        return try Row.fetchAll(database, sql: sql, arguments: arguments).map {
            PasswordReset(token: $0[0], email: $0[1], made: $0[2], expires: $0[3])
        }
    }
}
