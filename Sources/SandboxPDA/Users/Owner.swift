internal import Crypto
internal import CryptoExtras
internal import Foundation
internal import GRDB
internal import PDAWire
internal import PlugCore

/// The one user of a sandbox.
struct Owner: Sendable {
    var name: String
    var id: String
    /// The `sub` of all tokens.
    var subject: String
    var salt: [UInt8]
    var hash: [UInt8]

    /// Whether a password is the owner's. Takes some 50 ms, on purpose; compared in constant time.
    func accepts(name: String, password: String) -> Bool {
        guard let derived = try? PasswordHash.derive(password, salt: salt) else { return false }
        let isRight = zip(derived, hash).reduce(derived.count == hash.count ? 0 : 1) { $0 | ($1.0 ^ $1.1) } == 0
        return isRight && name == self.name
    }
}

/// scrypt (N = 2^14, r = 8, p = 1), 32 bytes.
enum PasswordHash {
    static func derive(_ password: String, salt: [UInt8]) throws -> [UInt8] {
        let key = try KDF.Scrypt.deriveKey(
            from: Data(password.utf8),
            salt: Data(salt),
            outputByteCount: 32,
            rounds: 1 << 14,
            blockSize: 8,
            parallelism: 1
        )
        return key.withUnsafeBytes { Array($0) }
    }
}

extension SandboxStore {
    /// The owner as kept, `nil` before the first start or set-up.
    func owner() async throws -> Owner? { try await read { try Self.owner($0) } }

    private static func owner(_ database: Database) throws -> Owner? {
        guard let id = try fact("owner.id", database), let subject = try fact("owner.subject", database) else {
            return nil
        }
        let salt = try fact("owner.salt", database).flatMap { Base64URL.decode($0) }
        let hash = try fact("owner.hash", database).flatMap { Base64URL.decode($0) }
        let name = try fact("owner.name", database) ?? "owner"
        return Owner(name: name, id: id, subject: subject, salt: salt ?? [], hash: hash ?? [])
    }

    /// Gives the PDA its owner, or the owner another name and password; id and subject stay.
    @discardableResult
    func setOwner(name: String, password: Secret) async throws -> Owner {
        let salt = RandomText.bytes(16)
        let hash = try PasswordHash.derive(password.reveal(), salt: salt)
        return try await write { database in
            try Self.makeIdentity(database)
            try Self.setFact("owner.name", name, database)
            try Self.setFact("owner.salt", Base64URL.encode(salt), database)
            try Self.setFact("owner.hash", Base64URL.encode(hash), database)
            guard let owner = try Self.owner(database) else { throw DatabaseError(message: "the owner is not kept") }
            return owner
        }
    }

    /// The owner's `sub`, made where there is none: a token can be minted before the first start.
    func subject() async throws -> String {
        if let owner = try await owner() { return owner.subject }
        return try await write { database in
            try Self.makeIdentity(database)
            return try Self.fact("owner.subject", database) ?? ""
        }
    }

    private static func makeIdentity(_ database: Database) throws {
        guard try fact("owner.id", database) == nil else { return }
        try setFact("owner.id", RandomText.uuid(), database)
        try setFact("owner.subject", "1-" + Data(RandomText.bytes(48)).base64EncodedString(), database)
    }

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
