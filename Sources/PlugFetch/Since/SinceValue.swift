import LosslessJSON
import PlugCore
import PlugManifest

/// A value of a `since.field`, a bound or a watermark.
enum SinceValue: Sendable, Equatable {
    /// `time`, `date`, `epoch` and `epoch_ms`.
    case moment(Timestamp)
    /// `integer`.
    case number(JSONNumber)
    /// `opaque`: a text or a number that only the source understands.
    case opaque(JSONValue)

    /// Reads a value from a manifest, a command line, a record or a state.
    ///
    /// - Returns: `nil` if the value is not of this type.
    init?(_ value: JSONValue, _ type: Since.Kind) {
        switch type {
        case .opaque:
            guard value.stringText?.isEmpty == false || value.number != nil else { return nil }
            self = .opaque(value)
        case .integer:
            guard let number = value.number ?? value.stringText.flatMap({ JSONNumber($0) }),
                number.text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || 0x30...0x39 ~= $0 })
            else { return nil }
            self = .number(number)
        case .time, .date, .epoch, .epochMilliseconds:
            guard let moment = Self.moment(value, type) else { return nil }
            self = .moment(moment)
        }
    }

    /// Numbers and texts of digits are seconds, or milliseconds for `epoch_ms`; other texts are times in any common form. Eight
    /// digits that form a day (20261122) are that day, unless the type says that they are seconds.
    private static func moment(_ value: JSONValue, _ type: Since.Kind) -> Timestamp? {
        guard let text = value.number?.text ?? value.stringText else { return nil }
        let isNumber = value.number != nil || JSONNumber(text) != nil
        guard isNumber else { return Timestamp(text) }
        if type == .date || type == .time, let day = Timestamp(compactDay: text) { return day }
        guard Int64(text.prefix { $0 != "." }).map({ abs($0 / 1000) < Int64.max / 1_000_000_000 }) == true else {
            return nil
        }
        return type == .epochMilliseconds ? Timestamp(epochMilliseconds: text) : Timestamp(epoch: text)
    }

    /// Whether this comes before another value of the same type. Opaque values have no order.
    func precedes(_ other: SinceValue) -> Bool {
        switch (self, other) {
        case (.moment(let left), .moment(let right)): left < right
        case (.number(let left), .number(let right)): left < right
        default: false
        }
    }

    /// The later of two; of opaque values the second.
    static func later(_ first: SinceValue?, _ second: SinceValue?) -> SinceValue? {
        guard let first else { return second }
        guard let second else { return first }
        return second.precedes(first) ? first : second
    }

    /// The earlier of two; without the second, the first.
    static func earlier(_ first: SinceValue, _ second: SinceValue?) -> SinceValue {
        guard let second else { return first }
        return second.precedes(first) ? second : first
    }

    /// The value minus an overlap. Integers beyond 64 bits stay as they are.
    func less(_ overlap: Since.Step?) -> SinceValue {
        switch (self, overlap) {
        case (.moment(let moment), .duration(let duration)):
            let micros = duration.wholeMicroseconds
            let (earlier, overflows) = moment.microseconds.subtractingReportingOverflow(micros)
            return overflows ? self : .moment(Timestamp(microseconds: earlier))
        case (.number(let number), .number(let less)):
            guard let value = number.int64, let amount = less.int64 else { return self }
            let (difference, overflows) = value.subtractingReportingOverflow(amount)
            return overflows ? self : .number(JSONNumber(difference))
        default: return self
        }
    }

    /// The first multiple of a step after the value; `nil` if it is out of range.
    func next(_ step: Since.Step) -> SinceValue? {
        func next(_ position: Int64, _ size: Int64) -> Int64? {
            let rest = ((position % size) + size) % size
            let (border, overflows) = position.addingReportingOverflow(size - rest)
            return overflows ? nil : border
        }
        switch (self, step) {
        case (.moment(let moment), .duration(let duration)):
            return next(moment.microseconds, max(1, duration.wholeMicroseconds)).map {
                .moment(Timestamp(microseconds: $0))
            }
        case (.number(let number), .number(let size)):
            guard let value = number.int64, let size = size.int64 else { return nil }
            return next(value, max(1, size)).map { .number(JSONNumber($0)) }
        default: return nil
        }
    }

    /// The form in states and templates: RFC 3339, a day for `date`, and anything else unchanged.
    func json(_ type: Since.Kind) -> JSONValue {
        switch self {
        case .moment(let moment): .text(type == .date ? moment.date : moment.rfc3339)
        case .number(let number): .number(number)
        case .opaque(let value): value
        }
    }

    /// The form in requests: a time in a format, rounded down; anything else unchanged.
    func value(in format: SinceFormat) -> JSONValue {
        switch self {
        case .moment(let moment): format.value(of: moment)
        case .number(let number): .number(number)
        case .opaque(let value): value
        }
    }
}
