package import LosslessJSON
internal import PlugCore

/// When a token's time is over, as services say it.
package enum TokenExpiry {
    /// Numbers from here on are moments and not lifetimes: seconds since 1970 (this one is in 2001; as a lifetime it is
    /// 31 years).
    private static let firstMoment = 1_000_000_000.0
    /// From here on they are milliseconds since 1970.
    private static let firstMillisecond = 100_000_000_000.0

    /// Reads a number of seconds, a moment since 1970 in seconds or milliseconds, each also as text, or a date.
    ///
    /// A token that was given this moment is not dead yet. So 0, a negative number and a moment that is over say nothing:
    /// the service means "never", or a clock is wrong. Then the token is used until it is refused, as without any word.
    ///
    /// - Returns: Microseconds since 1970, `nil` where it is not known.
    package static func time(_ value: JSONValue?, now: Int64) -> Int64? {
        let moment: Int64? =
            switch value.flatMap(Form.init) {
            case .number(let number): time(number, now: now)
            case .date(let date): date.microseconds
            case nil: nil
            }
        return moment.flatMap { $0 > now ? $0 : nil }
    }

    /// Whether a value is written as an end is: a number, also as text, or a date.
    package static func isTime(_ value: JSONValue) -> Bool { Form(value) != nil }

    /// How an end is written.
    private enum Form {
        case number(Double)
        case date(Timestamp)

        init?(_ value: JSONValue) {
            switch value {
            case .number(let number): self = .number(number.double)
            case .string(let string):
                let text = String(string.text.drop { $0 == " " })
                if let number = Double(text) {
                    self = .number(number)
                } else if let date = Timestamp(text) {
                    self = .date(date)
                } else {
                    return nil
                }
            default: return nil
            }
        }
    }

    private static func time(_ number: Double, now: Int64) -> Int64? {
        // What is larger than a date of the year 5138 in milliseconds is no time at all.
        guard number > 0, number < firstMillisecond * 1000 else { return nil }
        if number >= firstMillisecond { return Int64(number * 1000) }
        if number >= firstMoment { return Int64(number * 1_000_000) }
        let (sum, overflows) = now.addingReportingOverflow(Int64(number * 1_000_000))
        return overflows ? nil : sum
    }
}
