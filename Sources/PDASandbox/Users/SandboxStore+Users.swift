internal import Cryptography
internal import Foundation
internal import GRDB
internal import LosslessJSON
internal import PDAWire
internal import PlugCore

extension SandboxStore {
    /// The stored owner, `nil` before the first start or set-up.
    func owner() async throws -> User? {
        try await read { try Self.users("number = ?", [User.ownerNumber], $0).first }
    }

    func user(subject: String) async throws -> User? {
        try await read { try Self.users("subject = ?", [subject], $0).first }
    }

    func user(name: String) async throws -> User? { try await read { try Self.users("name = ?", [name], $0).first } }

    func user(id: String) async throws -> User? { try await read { try Self.users("id = ?", [id], $0).first } }

    func users() async throws -> [User] { try await read { try Self.users("1", [], $0) } }

    private static func users(_ condition: String, _ arguments: StatementArguments, _ database: Database) throws
        -> [User]
    {
        let statement = try database.cachedStatement(
            sql: """
                SELECT number, id, name, displayName, subject, salt, hash, roles, isEnabled FROM users
                WHERE \(condition) ORDER BY number
                """
        )
        return try Row.fetchAll(statement, arguments: arguments).map { row in
            let roles = try JSONValue(parsing: row[7] as String).elements ?? []
            return User(
                number: row[0],
                id: row[1],
                name: row[2],
                displayName: row[3],
                subject: row[4],
                salt: Array(row[5] as Data),
                hash: Array(row[6] as Data),
                roles: roles.compactMap { Role($0) },
                isEnabled: row[8]
            )
        }
    }

    /// Gives the PDA its owner, or the owner another name and password; id and subject stay.
    @discardableResult
    func setOwner(name: String, password: Secret) async throws -> User {
        let salt = SecureRandom.bytes(16)
        let hash = try passwords.derive(password.reveal(), salt: salt)
        return try await write { database in
            try Self.makeOwner(database)
            try database.execute(
                sql: "UPDATE users SET name = ?, salt = ?, hash = ?, isEnabled = 1 WHERE number = ?",
                arguments: [name, Data(salt), Data(hash), User.ownerNumber]
            )
            guard let owner = try Self.users("number = ?", [User.ownerNumber], database).first else {
                throw DatabaseError(message: "the owner is not kept")
            }
            return owner
        }
    }

    /// The owner's `sub`, created if missing: a token can be minted before the first start.
    func subject() async throws -> String {
        if let owner = try await owner() { return owner.subject }
        return try await write { database in
            try Self.makeOwner(database)
            return try Self.users("number = ?", [User.ownerNumber], database).first?.subject ?? ""
        }
    }

    static func makeOwner(_ database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO users VALUES (?, ?, 'owner', 'Owner', ?, x'', x'', '[{"role":"owner"}]', 1)
                ON CONFLICT DO NOTHING
                """,
            arguments: [User.ownerNumber, UUIDText.random(), newSubject()]
        )
    }

    private static func newSubject() -> String { "1-" + Data(SecureRandom.bytes(48)).base64EncodedString() }

    /// Creates a user; `nil` if the name or id is taken.
    func addUser(id: String, name: String, displayName: String, password: String, roles: [Role]) async throws -> User? {
        let salt = SecureRandom.bytes(16)
        let hash = try passwords.derive(password, salt: salt)
        let text = JSONValue.array(roles.map(\.json)).compactText
        return try await write { database in
            try database.execute(
                sql: """
                    INSERT INTO users (id, name, displayName, subject, salt, hash, roles, isEnabled)
                    VALUES (?, ?, ?, ?, ?, ?, ?, 1) ON CONFLICT DO NOTHING
                    """,
                arguments: [id, name, displayName, Self.newSubject(), Data(salt), Data(hash), text]
            )
            return database.changesCount == 0 ? nil : try Self.users("id = ?", [id], database).first
        }
    }

    /// Changes a user, whose id and subject stay. `false` if the name is taken by another.
    func updateUser(_ user: User) async throws -> Bool {
        let text = JSONValue.array(user.roles.map(\.json)).compactText
        return try await write { database in
            do {
                try database.execute(
                    sql: """
                        UPDATE users SET name = ?, displayName = ?, salt = ?, hash = ?, roles = ?, isEnabled = ?
                        WHERE number = ?
                        """,
                    arguments: [
                        user.name, user.displayName, Data(user.salt), Data(user.hash), text, user.isEnabled,
                        user.number,
                    ]
                )
                return true
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                return false
            }
        }
    }

    /// Gives a user a role, once.
    static func grant(_ role: Role, to number: Int64, _ database: Database) throws {
        guard let user = try users("number = ?", [number], database).first, !user.roles.contains(role) else { return }
        let text = JSONValue.array((user.roles + [role]).map(\.json)).compactText
        try database.execute(sql: "UPDATE users SET roles = ? WHERE number = ?", arguments: [text, number])
    }

    /// Removes a user; the records stay, but only the owner can read them.
    func removeUser(_ user: User) async throws {
        try await write { try $0.execute(sql: "DELETE FROM users WHERE number = ?", arguments: [user.number]) }
    }

    // MARK: Facts

    static func fact(_ name: String, _ database: Database) throws -> String? {
        try String.fetchOne(database, sql: "SELECT value FROM facts WHERE name = ?", arguments: [name])
    }

    static func setFact(_ name: String, _ value: String, _ database: Database) throws {
        try database.execute(
            sql: "INSERT INTO facts VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            arguments: [name, value]
        )
    }
}
