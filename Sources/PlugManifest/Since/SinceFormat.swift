package import LosslessJSON
package import PlugCore

/// How a bound is written into a request, and a time by `| time("…")`.
package enum SinceFormat: Sendable, Equatable {
    /// RFC 3339: `time` and `rfc3339`.
    case internet
    /// A day.
    case date
    /// Seconds since 1970.
    case epoch
    /// Milliseconds since 1970.
    case epochMilliseconds
    /// Microseconds since 1970.
    case epochMicroseconds
    /// A `strftime` pattern.
    case pattern(StrftimePattern)
    /// The value unchanged, for `integer` and `opaque`.
    case plain

    /// The names of formats for times, besides patterns; `time` and `rfc3339` are the same.
    package static let timeNames = ["epoch", "epoch_ms", "epoch_us", "time", "rfc3339", "date"]
    /// The names of formats for `integer` and `opaque`, all of which send the value unchanged.
    package static let plainNames = ["value", "integer", "opaque"]

    /// Reads the name of a format for times, or a pattern; `nil` for anything else.
    package init?(time name: String) {
        switch name {
        case "time", "rfc3339": self = .internet
        case "date": self = .date
        case "epoch": self = .epoch
        case "epoch_ms": self = .epochMilliseconds
        case "epoch_us": self = .epochMicroseconds
        default:
            guard name.contains("%"), let pattern = try? StrftimePattern(name), !pattern.isConstant else { return nil }
            self = .pattern(pattern)
        }
    }

    /// A moment in this format, rounded down to its precision.
    package func value(of moment: Timestamp) -> JSONValue {
        switch self {
        case .internet, .plain: .text(moment.rfc3339)
        case .date: .text(moment.date)
        case .epoch: .number(JSONNumber(moment.seconds))
        case .epochMilliseconds: .number(JSONNumber(moment.milliseconds))
        case .epochMicroseconds: .number(JSONNumber(moment.microseconds))
        case .pattern(let pattern): .text(pattern.text(of: moment))
        }
    }

    /// The parts of a time that it shows, as pattern directives; `nil` if it shows all.
    var directives: Set<Character>? { if case .pattern(let pattern) = self { pattern.directives } else { nil } }

    /// The smallest step that it shows; `nil` if it shows all.
    package var step: Duration? {
        switch self {
        case .internet, .plain: nil
        case .date: .seconds(86_400)
        case .epoch: .seconds(1)
        case .epochMilliseconds: .milliseconds(1)
        case .epochMicroseconds: .microseconds(1)
        case .pattern(let pattern): pattern.step
        }
    }
}

extension Timestamp {
    /// Milliseconds since 1970, rounded down.
    fileprivate var milliseconds: Int64 {
        let (quotient, rest) = microseconds.quotientAndRemainder(dividingBy: 1000)
        return rest < 0 ? quotient - 1 : quotient
    }
}
