internal import JQ
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import PlugRuntime

/// The values of `since.field` of the records that were read, as bounds for further requests.
struct TrialBounds {
    /// The greatest value, if the values differ.
    let newest: String?
    /// A value in the middle that is so much older than the newest one that the request shows the difference; `nil` for none.
    let middle: String?

    init(_ tried: TrialReport.Stream, _ since: Since) {
        let values = Set(tried.records.compactMap { Self.value(of: $0.source, since) })
        let sorted = values.sorted(by: Self.precedes)
        guard let last = sorted.last, sorted.count > 1 else {
            (newest, middle) = (nil, nil)
            return
        }
        newest = Self.text(last)
        let earlier = sorted.dropLast().prefix((sorted.count + 1) / 2)
        middle = earlier.last { Self.isApart($0, last, since) }.map(Self.text)
    }

    private static func value(of record: JSONValue, _ since: Since) -> JSONValue? {
        since.fields.lazy.compactMap { field in
            // A program that fails on a record finds nothing in it, as in a run.
            (try? field.run(record, globals: Array(repeating: .null, count: field.usedGlobals.count)))?.first {
                !$0.isNull
            }
        }.first
    }

    private static func precedes(_ first: JSONValue, _ second: JSONValue) -> Bool {
        if let first = first.stringText.flatMap({ Timestamp($0) }),
            let second = second.stringText.flatMap({ Timestamp($0) })
        {
            return first < second
        }
        return first < second
    }

    /// Whether a request for one value differs from a request for a later one, even if the service leaves out the bound itself.
    private static func isApart(_ value: JSONValue, _ newest: JSONValue, _ since: Since) -> Bool {
        guard since.type != .opaque else { return false }
        guard since.type.isTime else { return true }
        guard let early = moment(value, since.type), let late = moment(newest, since.type) else { return false }
        let steps = since.send.compactMap { $0.format.step?.wholeMicroseconds }
        // What a template writes is unknown: it may be a day.
        let step = since.send.isEmpty ? 86_400_000_000 : steps.max() ?? 0
        let (distance, overflows) = late.microseconds.subtractingReportingOverflow(early.microseconds)
        return !overflows && distance > step
    }

    private static func moment(_ value: JSONValue, _ type: Since.Kind) -> Timestamp? {
        let text = text(value)
        if JSONNumber(text) == nil { return Timestamp(text) }
        return type == .epochMilliseconds ? Timestamp(epochMilliseconds: text) : Timestamp(epoch: text)
    }

    private static func text(_ value: JSONValue) -> String { value.stringText ?? value.compactText }
}
