import Foundation
import GRDB

/// Looks into a database past the store, as somebody with the disk in his hands would.
enum Raw {
    /// Executes statements; the store is closed meanwhile.
    static func execute(_ sql: [String], in folder: String) throws {
        let database = try DatabaseQueue(path: folder + "/plughost.db")
        try database.write { for statement in sql { try $0.execute(sql: statement) } }
        try database.close()
    }

    /// The first column of the database's answer, as texts.
    static func texts(_ sql: String, in folder: String) throws -> [String] {
        let database = try DatabaseQueue(path: folder + "/plughost.db")
        defer { try? database.close() }
        return try database.read { try String.fetchAll($0, sql: sql) }
    }

    /// One value of the database, as bytes.
    static func bytes(_ sql: String, in folder: String) throws -> Data {
        let database = try DatabaseQueue(path: folder + "/plughost.db")
        defer { try? database.close() }
        return try database.read { try Data.fetchOne($0, sql: sql) } ?? Data()
    }

    /// One value of the database, as text.
    static func text(_ sql: String, in folder: String) throws -> String? {
        let database = try DatabaseQueue(path: folder + "/plughost.db")
        defer { try? database.close() }
        return try database.read { try String.fetchOne($0, sql: sql) }
    }
}
