internal import GRDB
internal import PlugCore
internal import Synchronization

/// The host's keys as a state needs them: one, or two while it goes from one to another.
///
/// Which keys there are, and which of them seals, the database says: so a process whose state another one is giving a new key
/// seals with it from the next transaction on, and opens what either key has sealed. A key that is not known yet is read from its
/// file when something is found that it has sealed.
final class HostKeys: Sendable {
    private let known: Mutex<[String: HostKey]>
    let file: HostKeyFile

    /// - Parameters:
    ///   - key: The key that the state was opened with.
    ///   - file: Where it is kept.
    init(_ key: HostKey, in file: HostKeyFile) {
        known = Mutex([key.id: key])
        self.file = file
    }

    /// A key by its id.
    ///
    /// - Throws: `key-wrong` where the state has such a key, and nobody finds it.
    func key(_ id: String, _ database: Database) throws -> HostKey {
        if let key = known.withLock({ $0[id] }) { return key }
        let named = try database.first("SELECT file FROM host_key WHERE id = ?", id) { $0[0] as String? }
        guard let key = try file.find(id, named: named ?? nil) else { throw StoreErrors.rekeyed }
        return known.withLock { known in
            // Of two that have read it at the same time, one is kept with what it has unwrapped.
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

    /// All keys of the state, the one that seals first.
    func all(_ database: Database) throws -> [HostKey] {
        let sql = "SELECT id FROM host_key ORDER BY rowid DESC"
        return try database.all(sql) { $0[0] as String }.map { try key($0, database) }
    }

    /// Takes a key that was just made or read.
    func add(_ key: HostKey) { known.withLock { $0[key.id] = $0[key.id] ?? key } }

    /// Forgets what was unwrapped: a key that is to be destroyed must not lie in memory.
    func forgetDataKeys() { known.withLock { Array($0.values) }.forEach { $0.forgetDataKeys() } }
}

extension HostKeyFile {
    /// The key with an id: in its place, beside it, or in the file that was named for it; `nil` where it is in none of them.
    fileprivate func find(_ id: String, named path: String?) throws(PlugError) -> HostKey? {
        if let key = try read(), key.id == id { return key }
        if let key = readNext(), key.id == id { return key }
        if let path, let key = try HostKeyFile(at: path).read(), key.id == id { return key }
        // Just now it may have come into its place.
        return try read().flatMap { $0.id == id ? $0 : nil }
    }
}
