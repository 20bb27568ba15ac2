import JQ
import LosslessJSON
import PlugCore
import PlugManifest

/// A summary of the `since.field` of a page's records.
struct SinceSummary: Sendable, Equatable {
    /// The greatest value; of opaque ones the last.
    var maximum: SinceValue?
    /// The first record's value, of those that have one.
    var first: SinceValue?
    /// The last record's value.
    var last: SinceValue?
    /// Whether no record was older than the one before it.
    var isAscending = true
    /// How many records were newer than the one before it.
    var rises = 0
    /// How many were older.
    var falls = 0
    /// The indexes of records older than the pass's lower bound, if requested.
    var older: [Int] = []
    /// Whether all records are no newer than the pass's lower bound, and the last one is older.
    var isKnown = false
    /// Whether a time lies between two granules of the stream's windows.
    var isFine = false
    /// How many records are not older than the requested window.
    var reached = 0
    /// How many of those are in it, or close after it.
    var inside = 0
    /// How many are so far beyond it that the service cannot have compared them with its end.
    var beyond = 0
    /// How many records there were.
    var count = 0
    /// How many of them had no value, or one that could not be read.
    var without = 0
}

/// Reads the `since.field` of records.
struct SinceScan: Sendable {
    let since: Since
    private let fields: [Selector]
    private var times = TimeReader()
    /// Identify records that need not have the field.
    private let exceptions: [Selector]
    /// Whether requests say where a window ends. A service cannot respect a bound it is not given.
    private let sendsEnd: Bool

    /// - Parameters:
    ///   - sendsEnd: Whether requests say where a window ends.
    ///   - exceptions: Identify deletions, for which many sources keep only an id, and records that are dropped.
    init(_ since: Since, sendsEnd: Bool = true, exceptions: [JQProgram]) {
        self.since = since
        self.sendsEnd = sendsEnd
        fields = since.fields.map { Selector($0) }
        self.exceptions = exceptions.map { Selector($0) }
    }

    private func isException(_ record: JSONView, _ globals: [JSONValue]) -> Bool {
        exceptions.contains { program in
            (try? program.outputs(of: record, globals))?.contains(where: \.isTruthy) ?? false
        }
    }

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - previous: The value of the record before the page's first.
    ///   - bound: The value before which records are old; `nil` if not needed.
    ///   - windows: How the pass is divided.
    ///   - window: The requested window, if it is divided.
    /// - Throws: only `PlugError.interrupted`.
    mutating func summary(
        of records: [JSONView],
        after previous: SinceValue?,
        bound: SinceValue? = nil,
        windows: SinceWindows? = nil,
        window: SinceWindow? = nil,
        _ globals: [JSONValue]
    ) throws(PlugError) -> SinceSummary {
        var summary = SinceSummary(last: previous, count: records.count)
        var hasNewer = false
        for (at, record) in records.enumerated() {
            guard let value = try value(of: record, globals) else {
                if isException(record, globals) { summary.count -= 1 } else { summary.without += 1 }
                continue
            }
            if let last = summary.last {
                if value.precedes(last) {
                    summary.isAscending = false
                    summary.falls += 1
                } else if last.precedes(value) {
                    summary.rises += 1
                }
            }
            if summary.first == nil { summary.first = value }
            summary.last = value
            summary.maximum = SinceValue.later(summary.maximum, value)
            if let bound {
                summary.isKnown = value.precedes(bound)
                if summary.isKnown { summary.older.append(at) }
                hasNewer = hasNewer || bound.precedes(value)
            }
            if let windows, let window {
                if windows.isBetween(value) { summary.isFine = true }
                if !value.precedes(window.from) {
                    summary.reached += 1
                    let isBeyond = windows.isBeyond(value, window)
                    if isBeyond { summary.beyond += 1 }
                    if !isBeyond || !sendsEnd { summary.inside += 1 }
                }
            }
        }
        summary.isKnown = summary.isKnown && !hasNewer
        return summary
    }

    /// The value of a record; `nil` if it has none, or one that cannot be read.
    ///
    /// - Throws: only `PlugError.interrupted`.
    mutating func value(of record: JSONView, _ globals: [JSONValue]) throws(PlugError) -> SinceValue? {
        for field in fields {
            switch try read(field, record, globals) {
            case .absent: continue
            case .present(let value): return value
            }
        }
        return nil
    }

    private enum Reading {
        case absent
        /// `nil` if it cannot be read.
        case present(SinceValue?)
    }

    private mutating func read(
        _ field: Selector,
        _ record: JSONView,
        _ globals: [JSONValue]
    ) throws(PlugError) -> Reading {
        if since.type == .time, let path = field.path, !path.iterates {
            field.program.cover(JQInput(record), globals: JQGlobals(globals))
            let moment = record.document.withCursor { cursor -> Timestamp? in
                guard case .node(let node) = path.resolve(cursor, record.node), cursor.kind(node) == .string else {
                    return nil
                }
                return times.read(cursor.rawString(node))
            }
            if let moment { return .present(.moment(moment)) }
        }
        do throws(JQError) {
            guard let value = try field.first(of: record, globals), !value.isNull, value.stringText?.isEmpty != true
            else { return .absent }
            return .present(SinceValue(value, since.type))
        } catch {
            if let interruption = error.interruption { throw interruption }
            // If a program fails on a record, the record counts as lacking the field.
            return .absent
        }
    }
}
