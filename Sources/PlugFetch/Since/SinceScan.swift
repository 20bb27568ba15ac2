import JQ
import LosslessJSON
import PlugCore
import PlugManifest

/// What the `since.field` of a page's records says.
struct SinceSummary: Sendable, Equatable {
    /// The greatest value; of opaque ones the last.
    var maximum: SinceValue?
    /// The last record's value.
    var last: SinceValue?
    /// Whether no record was older than the one before it.
    var isAscending = true
    /// How many records there were.
    var count = 0
    /// How many of them had no value, or one that could not be read.
    var without = 0
}

/// Reads the `since.field` of records.
struct SinceScan: Sendable {
    let since: Since
    private let field: Selector
    private var times = TimeReader()

    init(_ since: Since) {
        self.since = since
        field = Selector(since.field)
    }

    /// Reads a page.
    ///
    /// - Parameter previous: The value of the record before the page's first.
    /// - Throws: `PlugError.interrupted` and nothing else.
    mutating func summary(
        of records: [JSONView],
        after previous: SinceValue?,
        _ globals: [JSONValue]
    ) throws(PlugError) -> SinceSummary {
        var summary = SinceSummary(last: previous, count: records.count)
        for record in records {
            guard let value = try value(of: record, globals) else {
                summary.without += 1
                continue
            }
            if let last = summary.last, value.precedes(last) { summary.isAscending = false }
            summary.last = value
            summary.maximum = SinceValue.later(summary.maximum, value)
        }
        return summary
    }

    private mutating func value(of record: JSONView, _ globals: [JSONValue]) throws(PlugError) -> SinceValue? {
        if since.type == .time, let path = field.path, !path.iterates {
            let moment = record.document.withCursor { cursor -> Timestamp? in
                guard case .node(let node) = path.resolve(cursor, record.node), cursor.kind(node) == .string else {
                    return nil
                }
                return times.read(cursor.rawString(node))
            }
            if let moment { return .moment(moment) }
        }
        do throws(JQError) {
            return try field.first(of: record, globals).flatMap { SinceValue($0, since.type) }
        } catch {
            if let interruption = error.interruption { throw interruption }
            // A program that fails on a record is a record without the field.
            return nil
        }
    }
}
