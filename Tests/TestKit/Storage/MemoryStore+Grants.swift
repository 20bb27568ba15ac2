package import PlugCore
internal import PlugStorage

extension MemoryStore {
    /// See `PlugStore`.
    package func grant(_ id: GrantID) -> StoredGrant? { grants[id] }

    /// See `PlugStore`.
    package func keepGrant(_ content: Secret, as id: GrantID, replacing version: Int64?) throws -> Int64? {
        try require(id.connection)
        guard grants[id]?.version == version else { return nil }
        let next = (version ?? 0) + 1
        grants[id] = StoredGrant(content: content, version: next)
        return next
    }

    /// See `PlugStore`.
    package func lockGrant(_ id: GrantID) throws -> ConnectionLease? {
        try require(id.connection)
        return renewing.lease(id.connection)
    }
}
