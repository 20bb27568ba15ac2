internal import Cryptography
package import PlugCore
package import PlugStorage

/// Keys of the API: `phk_` and 256 random bits, of which only the hash is stored.
package struct APIKeys: Sendable {
    private let store: any AccessStore
    private let clock: any HostClock
    private static let prefix = "phk_"
    /// A use sooner than this after the last one is not recorded.
    private static let granule: Int64 = 60 * 1_000_000

    /// Keys in a store.
    package init(_ store: any AccessStore, clock: any HostClock) {
        self.store = store
        self.clock = clock
    }

    /// Makes a key, which cannot be shown again.
    ///
    /// - Parameter who: Who makes it, for the audit log.
    /// - Returns: `nil`, with nothing made, if the name is taken.
    package func add(_ name: String, _ scopes: Set<APIScope>, by who: String = "shell") async throws -> Secret? {
        let text = Self.prefix + SecureRandom.base64URL(bytes: 32)
        let key = StoredAPIKey(
            name: name,
            hash: Self.hash(text),
            scopes: scopes.map(\.rawValue).sorted(),
            createdAt: clock.now()
        )
        let may = key.scopes.joined(separator: ", ")
        let change = AuditEntry(at: key.createdAt, who: who, what: "made the key \(name) (\(may))")
        return try await store.addAPIKey(key, change) ? Secret(text) : nil
    }

    /// Removes a key.
    ///
    /// - Parameter who: Who removes it, for the audit log.
    /// - Returns: Whether there was one.
    package func remove(_ name: String, by who: String = "shell") async throws -> Bool {
        let change = AuditEntry(at: clock.now(), who: who, what: "removed the key \(name)")
        return try await store.removeAPIKey(name, change)
    }

    /// The caller with this `Authorization` header; `nil` if it has no known key.
    func visitor(_ header: String) async throws -> Visitor? {
        let parts = header.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bearer", parts[1].hasPrefix(Self.prefix) else { return nil }
        // The lookup is by hash: its duration does not reveal how much of a guess is right.
        guard let key = try await store.apiKey(Self.hash(String(parts[1]))) else { return nil }
        let now = clock.now()
        if now - (key.usedAt ?? .min / 2) >= Self.granule {
            try await PassingNote.write { try await store.noteUse(ofAPIKey: key.name, at: now) }
        }
        return .key(key.name, Set(key.scopes.compactMap(APIScope.init)))
    }

    private static func hash(_ text: String) -> [UInt8] { SHA256.hash(Array(text.utf8)) }
}
