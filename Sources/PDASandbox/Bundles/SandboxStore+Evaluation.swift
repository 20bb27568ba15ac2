internal import Foundation
internal import GRDB
internal import LosslessJSON
internal import PDAWire

/// A record as a query gives it: mapped, with the links requested.
struct FoundRecord: Sendable {
    var endpoint: String
    var id: String
    /// Compact JSON.
    var data: [UInt8]
    /// Empty if none were requested or none exist; the member is then left out.
    var links: [FoundRecord] = []

    func write(to bytes: inout [UInt8]) {
        let written = links.map { link in
            var bytes: [UInt8] = []
            link.write(to: &bytes)
            return bytes
        }
        PDARecord.write(
            endpoint: endpoint,
            recordID: id,
            data: data,
            links: links.isEmpty ? nil : written,
            to: &bytes
        )
    }
}

/// Some of a query's records, in its order.
struct Window: Sendable {
    var orderBy: String?
    var isDescending = false
    var skip = 0
    /// `nil` for all.
    var take: Int?
}

extension SandboxStore {
    /// The records of a property: the union of its queries, ordered as a whole, then cut.
    func evaluate(_ queries: [EndpointQuery], _ window: Window) async throws -> [FoundRecord] {
        try await read { try Self.evaluate(queries, window, $0) }
    }

    /// Every property separately, in one transaction.
    func evaluate(_ properties: [DataBundle.Property]) async throws -> [(name: String, records: [FoundRecord])] {
        try await read { database in
            try properties.map { property in
                let query = property.query
                let window = Window(orderBy: query.orderBy, isDescending: query.isDescending, take: query.limit)
                return (property.name, try Self.evaluate(query.endpoints, window, database))
            }
        }
    }

    static func evaluate(_ queries: [EndpointQuery], _ window: Window, _ database: Database) throws -> [FoundRecord] {
        // The reference server reduces an empty list of queries, or of links, and fails.
        guard !queries.isEmpty, !queries.contains(where: { $0.links?.isEmpty ?? false }) else {
            throw EvaluationFailure.refused
        }
        guard window.skip >= 0, window.take ?? 0 >= 0 else { throw EvaluationFailure.refused }
        let (limit, overflows) = window.skip.addingReportingOverflow(window.take ?? Int.max)
        var selection = Selection(isDescending: window.isDescending, limit: overflows ? Int.max : limit)
        for (at, query) in queries.enumerated() { try scan(query, at, window, &selection, database) }
        return try selection.sorted().dropFirst(window.skip).map { try found($0.sequence, queries[$0.query], database) }
    }

    /// Scans every record of an endpoint, in date order.
    private static func scan(
        _ query: EndpointQuery,
        _ number: Int,
        _ window: Window,
        _ selection: inout Selection,
        _ database: Database
    ) throws {
        let direction = window.isDescending ? "DESC" : "ASC"
        // Only an order by date can stop early: any other needs every record's value.
        let stops = window.orderBy == nil && query.filters?.isEmpty ?? true && window.take != nil
        let path = window.orderBy.map { StoredJSONPath(query.orderPath($0)) }
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT sequence, date\(path != nil || query.filters != nil ? ", data" : "") FROM records
                WHERE endpoint = (SELECT id FROM endpoints WHERE path = ?)
                ORDER BY date \(direction), sequence \(direction) LIMIT ?
                """,
            arguments: [query.endpoint, stops ? Int64(clamping: window.skip + (window.take ?? 0)) : -1]
        )
        while let row = try rows.next() {
            if let filters = query.filters, !filters.isEmpty {
                let data = try JSONValue(parsing: row[2] as String, limits: .record)
                guard try filters.allSatisfy({ try $0.matches(data) }) else { continue }
            }
            let key: OrderKey?
            if let path {
                key = try row.withUnsafeData(atIndex: 2) { data in
                    data?.withUnsafeBytes { bytes in
                        let text = bytes.assumingMemoryBound(to: UInt8.self)
                        return path.range(in: text).flatMap {
                            OrderKey(stored: UnsafeBufferPointer(rebasing: text[$0]))
                        }
                    }
                }
            } else {
                key = .integer(row[1])
            }
            selection.add(Candidate(key: key, sequence: row[0], query: number))
        }
    }

    private static func found(_ sequence: Int64, _ query: EndpointQuery, _ database: Database) throws -> FoundRecord {
        let statement = try database.cachedStatement(sql: "SELECT id, data FROM records WHERE sequence = ?")
        guard let row = try Row.fetchOne(statement, arguments: [sequence]) else { throw EvaluationFailure.refused }
        var record = try FoundRecord(endpoint: query.endpoint, id: row[0], data: mapped(row[1], query))
        for link in query.links ?? [] { record.links += try links(of: sequence, link, database) }
        return record
    }

    private static func mapped(_ stored: String, _ query: EndpointQuery) throws -> [UInt8] {
        guard query.mapping?.object != nil else { return Array(stored.utf8) }
        let data = try JSONValue(parsing: stored, limits: .record)
        var bytes: [UInt8] = []
        try DataMapper.data(data, by: query.mapping).write(to: &bytes)
        return bytes
    }

    /// Records that share a group with this one and match the link's query. One level: a link's own links are not read.
    private static func links(of sequence: Int64, _ query: EndpointQuery, _ database: Database) throws -> [FoundRecord]
    {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT DISTINCT records.sequence, records.id, records.data FROM recordGroups AS mine
                JOIN recordGroups AS others ON others.number = mine.number AND others.record <> mine.record
                JOIN records ON records.sequence = others.record
                WHERE mine.record = ? AND records.endpoint = (SELECT id FROM endpoints WHERE path = ?)
                ORDER BY records.date, records.sequence
                """,
            arguments: [sequence, query.endpoint]
        )
        return try rows.compactMap { row in
            if let filters = query.filters, !filters.isEmpty {
                let data = try JSONValue(parsing: row[2] as String, limits: .record)
                guard try filters.allSatisfy({ try $0.matches(data) }) else { return nil }
            }
            return FoundRecord(endpoint: query.endpoint, id: row[1], data: try mapped(row[2], query))
        }
    }
}
