package import LosslessJSON
internal import PlugCore

/// When a token expires, as services write it.
package enum TokenExpiry {
    /// Numbers from here on are times rather than lifetimes: seconds since 1970 (this one is in 2001; as a lifetime it is 31
    /// years).
    private static let firstMoment = 1_000_000_000.0
    /// Numbers from here on are milliseconds since 1970.
    private static let firstMillisecond = 100_000_000_000.0

    /// Reads a number of seconds, a time since 1970 in seconds or milliseconds, each also as text, or a date.
    ///
    /// A token just issued is not dead yet. So 0, a negative number or a past time means nothing: the service means "never", or a
    /// clock is wrong. The token is then used until it is refused, as if no expiry were given.
    ///
    /// - Returns: Microseconds since 1970; `nil` if unknown.
    package static func time(_ value: JSONValue?, now: Int64) -> Int64? {
        let moment: Int64? =
            switch value.flatMap(Form.init) {
            case .number(let number): time(number, now: now)
            case .date(let date): date.microseconds
            case nil: nil
            }
        return moment.flatMap { $0 > now ? $0 : nil }
    }

    /// Whether a value has the form of an expiry: a number, also as text, or a date.
    package static func isTime(_ value: JSONValue) -> Bool { Form(value) != nil }

    /// The form of an expiry.
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
        // Anything beyond the year 5138 in milliseconds is not a time.
        guard number > 0, number < firstMillisecond * 1000 else { return nil }
        if number >= firstMillisecond { return Int64(number * 1000) }
        if number >= firstMoment { return Int64(number * 1_000_000) }
        let (sum, overflows) = now.addingReportingOverflow(Int64(number * 1_000_000))
        return overflows ? nil : sum
    }
}
