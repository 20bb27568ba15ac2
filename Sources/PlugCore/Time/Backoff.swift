/// How long to wait before trying again: full jitter over a doubling ceiling, so that many clients do not return together.
public struct Backoff: Sendable, Equatable {
    /// The ceiling of the first wait.
    public var base: Duration
    /// The ceiling of every wait.
    public var maximum: Duration

    /// A back-off of 1 s that doubles up to `maximum`.
    public init(base: Duration = .seconds(1), maximum: Duration = .seconds(900)) {
        self.base = base
        self.maximum = maximum
    }

    /// The wait after `failures` failures in a row (from 1).
    ///
    /// - Parameter random: A number in `0..<1`.
    public func wait(after failures: Int, random: Double) -> Duration {
        let doublings = min(max(0, failures - 1), 30)
        let ceiling = min(maximum, base * Double(1 << doublings))
        return ceiling * random
    }
}

/// The header by which a server says when to come back (RFC 9110, 10.2.3): seconds, or a date.
public enum RetryAfter {
    /// How long to wait from `now` (microseconds since 1970), `nil` where the value is neither form.
    public static func wait(_ value: String, now: Int64) -> Duration? {
        let text = value.filter { $0 != " " }
        if !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) {
            return .seconds(min(Int64(text) ?? 315_360_000, 315_360_000))
        }
        guard let moment = Timestamp(value) else { return nil }
        return .microseconds(max(0, moment.microseconds - now))
    }
}
