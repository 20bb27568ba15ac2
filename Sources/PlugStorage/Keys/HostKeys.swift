internal import GRDB
internal import PlugCore
internal import Synchronization

/// The host's keys of a state: one, or two during a change of key.
///
/// The database says which keys there are, and which of them seals: so a process whose state is being given a new key by another
/// seals with it from the next transaction on, and opens what either key has sealed. An unknown key is read from its file when
/// something that it sealed is found.
final class HostKeys: Sendable {
    private let known: Mutex<[String: HostKey]>
    let file: HostKeyFile

    /// - Parameters:
    ///   - key: The key with which the state was opened.
    ///   - file: The file that holds it.
    init(_ key: HostKey, in file: HostKeyFile) {
        known = Mutex([key.id: key])
        self.file = file
    }

    /// A key by its id.
    ///
    /// - Throws: `key-wrong` if the state has such a key, and it cannot be found.
    func key(_ id: String, _ database: Database) throws -> HostKey {
        if let key = known.withLock({ $0[id] }) { return key }
        let named = try database.first("SELECT file FROM host_key WHERE id = ?", id) { $0[0] as String? }
        guard let key = try file.find(id, named: named ?? nil) else { throw StoreErrors.rekeyed }
        return known.withLock { known in
            // If two tasks have read it at the same time, one copy is kept with what it has unwrapped.
            if let key = known[id] { return key }
            known[id] = key
            return key
        }
    }

    /// The key that seals.
    func current(_ database: Database) throws -> HostKey {
        let sql = "SELECT id FROM host_key ORDER BY rowid DESC LIMIT 1"
        guard let id = try database.first(sql, read: { $0[0] as String }) else { throw StoreErrors.rekeyed }
        return try key(id, database)
    }

    /// All keys of the state, the sealing one first.
    func all(_ database: Database) throws -> [HostKey] {
        let sql = "SELECT id FROM host_key ORDER BY rowid DESC"
        return try database.all(sql) { $0[0] as String }.map { try key($0, database) }
    }

    /// Adds a key that was just created or read.
    func add(_ key: HostKey) { known.withLock { $0[key.id] = $0[key.id] ?? key } }

    /// Forgets unwrapped keys: a key that is to be destroyed must not remain in memory.
    func forgetDataKeys() { known.withLock { Array($0.values) }.forEach { $0.forgetDataKeys() } }
}

extension HostKeyFile {
    /// Finds a key by id: in its place, next to it, or in the file named for it; `nil` if it is in none of them.
    fileprivate func find(_ id: String, named path: String?) throws(PlugError) -> HostKey? {
        if let key = try read(), key.id == id { return key }
        if let key = readNext(), key.id == id { return key }
        if let path, let key = try HostKeyFile(at: path).read(), key.id == id { return key }
        // It may have been put in its place in the meantime.
        return try read().flatMap { $0.id == id ? $0 : nil }
    }
}
