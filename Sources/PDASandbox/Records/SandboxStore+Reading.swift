internal import GRDB
internal import LosslessJSON

/// The number of records that an endpoint holds.
struct SandboxCount: Sendable, Equatable {
    /// `namespace/endpoint`.
    var endpoint: String
    /// The number of records.
    var records: Int
    /// When the newest was stored, in milliseconds since 1970.
    var newest: Int64
}

/// A record as the page shows it.
struct SandboxRecord: Sendable, Equatable {
    /// A UUID.
    var id: String
    /// `namespace/endpoint`.
    var endpoint: String
    /// Compact JSON.
    var data: String
    /// When it was stored, in milliseconds since 1970.
    var date: Int64
}

extension SandboxStore {
    /// The endpoints that hold records, with their counts, by name.
    func counts() async throws -> [SandboxCount] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT path, count(*), max(date) FROM records JOIN endpoints ON endpoints.id = endpoint
                    GROUP BY path ORDER BY path
                    """
            ).map { SandboxCount(endpoint: $0[0], records: $0[1], newest: $0[2]) }
        }
    }

    /// The newest records, newest first.
    ///
    /// - Parameters:
    ///   - endpoint: Only of this endpoint, `nil` for all.
    ///   - skip: How many newer ones to leave out.
    func newest(_ limit: Int, at endpoint: String? = nil, skip: Int = 0) async throws -> [SandboxRecord] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT records.id, path, data, date FROM records JOIN endpoints ON endpoints.id = endpoint
                    WHERE ?1 IS NULL OR path = ?1 ORDER BY sequence DESC LIMIT ?2 OFFSET ?3
                    """,
                arguments: [endpoint, limit, skip]
            ).map { SandboxRecord(id: $0[0], endpoint: $0[1], data: $0[2], date: $0[3]) }
        }
    }
}

extension JSONLimits {
    /// The limits of a request: deep enough for any record, shallow enough for a thread's stack.
    static let request = JSONLimits(depth: 256, bytes: 10 << 20)
    /// The limits of a stored record: what was accepted can be read again.
    static let record = JSONLimits(depth: 260, bytes: 16 << 20)
}
