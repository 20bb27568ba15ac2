internal import GRDB
internal import LosslessJSON

/// How many records an endpoint holds.
public struct SandboxCount: Sendable, Equatable {
    /// `namespace/endpoint`.
    public var endpoint: String
    /// How many.
    public var records: Int
    /// When the newest was stored, in milliseconds since 1970.
    public var newest: Int64
}

/// A record as the page shows it.
public struct SandboxRecord: Sendable, Equatable {
    /// A UUID.
    public var id: String
    /// `namespace/endpoint`.
    public var endpoint: String
    /// Compact JSON.
    public var data: String
    /// When it was stored, in milliseconds since 1970.
    public var date: Int64
}

/// What a GET asks for.
struct RecordQuery: Sendable {
    var endpoint: String
    /// A dotted path into the data; `nil` orders by date.
    var orderBy: String?
    var isDescending = false
    var skip = 0
    var take = 1000
}

extension SandboxStore {
    /// The records that a query asks for, in its order.
    func records(_ query: RecordQuery) async throws -> [StoredRecord] {
        guard let orderBy = query.orderBy else { return try await recordsByDate(query) }
        let path =
            orderBy.isEmpty ? [] : orderBy.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        var everything = query
        (everything.skip, everything.take) = (0, Int.max)
        let keyed = try await recordsByDate(everything).map { record in
            (
                record,
                (try? JSONValue(parsing: record.data, limits: .record)).flatMap { JSONBOrder.value(in: $0, at: path) }
            )
        }
        // Stable, so that equal values stay in the order of their dates; without a value last in both directions.
        let ordered = keyed.enumerated().sorted { left, right in
            switch (left.element.1, right.element.1) {
            case (let a?, let b?):
                let order = JSONBOrder.compare(a, b)
                if order != 0 { return query.isDescending ? order > 0 : order < 0 }
            case (_?, nil): return true
            case (nil, _?): return false
            case (nil, nil): break
            }
            return left.offset < right.offset
        }
        return ordered.dropFirst(query.skip).prefix(query.take).map(\.element.0)
    }

    private func recordsByDate(_ query: RecordQuery) async throws -> [StoredRecord] {
        let direction = query.isDescending ? "DESC" : "ASC"
        let sql = """
            SELECT id, data FROM records WHERE endpoint = (SELECT id FROM endpoints WHERE path = ?)
            ORDER BY date \(direction), sequence \(direction) LIMIT ? OFFSET ?
            """
        return try await read { database in
            var records: [StoredRecord] = []
            let rows = try Row.fetchCursor(
                database,
                sql: sql,
                arguments: [query.endpoint, Int64(query.take), Int64(query.skip)]
            )
            while let row = try rows.next() {
                records.append(StoredRecord(id: row[0], endpoint: query.endpoint, data: row[1]))
            }
            return records
        }
    }

    /// The endpoints that hold records, with their counts, by name.
    public func counts() async throws -> [SandboxCount] {
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
    /// - Parameter endpoint: Only of this endpoint, `nil` for all.
    public func newest(_ limit: Int, at endpoint: String? = nil) async throws -> [SandboxRecord] {
        try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT records.id, path, data, date FROM records JOIN endpoints ON endpoints.id = endpoint
                    WHERE ?1 IS NULL OR path = ?1 ORDER BY sequence DESC LIMIT ?2
                    """,
                arguments: [endpoint, limit]
            ).map { SandboxRecord(id: $0[0], endpoint: $0[1], data: $0[2], date: $0[3]) }
        }
    }
}

extension JSONLimits {
    /// What a request may be: deep enough for any record, shallow enough for a thread's stack.
    static let request = JSONLimits(depth: 256, bytes: 10 << 20)
    /// What was accepted can be read again.
    static let record = JSONLimits(depth: 260, bytes: 16 << 20)
}
