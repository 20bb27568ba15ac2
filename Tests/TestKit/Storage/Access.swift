internal import PlugCore
package import PlugStorage

extension MemoryStore {
    /// See `AccessStore`.
    package func beginSession(_ session: StoredSession, replacing old: [UInt8]?) {
        if let old { sessions[old] = nil }
        sessions = sessions.filter { $0.value.isOpen(at: session.createdAt) }
        sessions[session.hash] = session
        guard sessions.count > AccessLimit.sessions else { return }
        let oldest = sessions.values.min { ($0.seenAt, $0.createdAt) < ($1.seenAt, $1.createdAt) }
        if let oldest { sessions[oldest.hash] = nil }
    }

    /// See `AccessStore`.
    package func session(_ hash: [UInt8], at now: Int64) -> StoredSession? {
        sessions[hash].flatMap { $0.isOpen(at: now) ? $0 : nil }
    }

    /// See `AccessStore`.
    package func extendSession(_ hash: [UInt8], seenAt: Int64, endsAt: Int64) -> Bool {
        guard var session = sessions[hash] else { return false }
        session.seenAt = seenAt
        session.endsAt = min(endsAt, session.lastsUntil)
        sessions[hash] = session
        return true
    }

    /// See `AccessStore`.
    package func endSession(_ hash: [UInt8]) -> Bool { sessions.removeValue(forKey: hash) != nil }

    /// See `AccessStore`.
    package func addAPIKey(_ key: StoredAPIKey, _ change: AuditEntry) -> Bool {
        guard keys[key.name] == nil else { return false }
        keys[key.name] = key
        note(change)
        return true
    }

    /// See `AccessStore`.
    package func apiKey(_ hash: [UInt8]) -> StoredAPIKey? { keys.values.first { $0.hash == hash } }

    /// See `AccessStore`.
    package func apiKeys() -> [StoredAPIKey] {
        keys.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// See `AccessStore`.
    package func removeAPIKey(_ name: String, _ change: AuditEntry) -> Bool {
        guard keys.removeValue(forKey: name) != nil else { return false }
        note(change)
        return true
    }

    /// See `AccessStore`.
    package func noteUse(ofAPIKey name: String, at: Int64) { keys[name]?.usedAt = at }

    /// See `AccessStore`.
    package func keepLink(_ link: OneTimeLink, _ change: AuditEntry) {
        note(change)
        links = links.filter { $0.value.endsAt > clock.now() }
        links[link.hash] = link
        guard links.count > AccessLimit.links else { return }
        let first = links.values.min { $0.endsAt < $1.endsAt }
        if let first { links[first.hash] = nil }
    }

    /// See `AccessStore`.
    package func link(_ hash: [UInt8], at now: Int64) -> OneTimeLink? {
        links[hash].flatMap { $0.endsAt > now ? $0 : nil }
    }

    /// See `AccessStore`.
    package func takeLink(_ hash: [UInt8], at now: Int64) -> OneTimeLink? {
        guard let link = link(hash, at: now) else { return nil }
        links[hash] = nil
        note(link.used(at: now))
        return link
    }

    /// See `AccessStore`.
    package func hostAudit() -> [AuditEntry] { hostChanges.reversed() }

    private func note(_ change: AuditEntry) {
        hostChanges = Array((hostChanges + [change]).suffix(AccessLimit.changes))
    }
}

extension StoredSession {
    fileprivate func isOpen(at now: Int64) -> Bool { min(endsAt, lastsUntil) > now }
}

extension ForwardingStore {
    package func session(_ hash: [UInt8], at now: Int64) async throws -> StoredSession? {
        try await reading { try await store.session(hash, at: now) }
    }
    package func apiKey(_ hash: [UInt8]) async throws -> StoredAPIKey? {
        try await reading { try await store.apiKey(hash) }
    }
    package func hostAudit() async throws -> [AuditEntry] { try await reading { try await store.hostAudit() } }
    package func apiKeys() async throws -> [StoredAPIKey] { try await reading { try await store.apiKeys() } }
    package func link(_ hash: [UInt8], at now: Int64) async throws -> OneTimeLink? {
        try await reading { try await store.link(hash, at: now) }
    }
    package func beginSession(_ session: StoredSession, replacing old: [UInt8]?) async throws {
        try await writing("begin a session") { try await store.beginSession(session, replacing: old) }
    }
    package func extendSession(_ hash: [UInt8], seenAt: Int64, endsAt: Int64) async throws -> Bool {
        try await writing("extend a session") {
            try await store.extendSession(hash, seenAt: seenAt, endsAt: endsAt)
        }
    }
    package func endSession(_ hash: [UInt8]) async throws -> Bool {
        try await writing("end a session") { try await store.endSession(hash) }
    }
    package func addAPIKey(_ key: StoredAPIKey, _ change: AuditEntry) async throws -> Bool {
        try await writing("add key \(key.name)") { try await store.addAPIKey(key, change) }
    }
    package func removeAPIKey(_ name: String, _ change: AuditEntry) async throws -> Bool {
        try await writing("remove key \(name)") { try await store.removeAPIKey(name, change) }
    }
    package func noteUse(ofAPIKey name: String, at: Int64) async throws {
        try await writing("note use of key \(name)") { try await store.noteUse(ofAPIKey: name, at: at) }
    }
    package func keepLink(_ link: OneTimeLink, _ change: AuditEntry) async throws {
        try await writing("keep a link") { try await store.keepLink(link, change) }
    }
    package func takeLink(_ hash: [UInt8], at now: Int64) async throws -> OneTimeLink? {
        try await writing("take a link") { try await store.takeLink(hash, at: now) }
    }
}
