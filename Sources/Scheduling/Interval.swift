internal import PlugCore

/// The time between two syncs of a connection: `15m`, `1h`, `1d`.
package struct Interval: Sendable, Equatable {
    /// The permitted intervals: shorter ones burden sources, longer ones are mistakes.
    package static let bounds: ClosedRange<Duration> = .seconds(60)...(.seconds(366 * 86_400))

    /// Its length.
    package let microseconds: Int64

    /// Parses a count and a unit.
    ///
    /// - Throws: `bad-interval`.
    package init(_ text: String) throws(ScheduleFault) {
        guard let duration = HumanDuration.parse(text) else {
            throw ScheduleFault(
                .badInterval,
                "\(ScheduleFault.quoted(text)) is not a duration",
                advice: "write a count and a unit: 15m, 1h or 1d",
                in: text
            )
        }
        try self.init(duration, as: text)
    }

    /// An interval of a given length, truncated to microseconds.
    ///
    /// - Throws: `bad-interval`.
    package init(_ duration: Duration) throws(ScheduleFault) {
        try self.init(duration, as: "\(duration)")
    }

    private init(_ duration: Duration, as text: String) throws(ScheduleFault) {
        guard Self.bounds.contains(duration) else {
            let isShort = duration < Self.bounds.lowerBound
            throw ScheduleFault(
                .badInterval,
                "\(ScheduleFault.quoted(text)) is \(isShort ? "shorter than a minute" : "longer than 366 days")",
                advice: isShort ? "write 1m or more" : "write 366d or less",
                in: text
            )
        }
        let (seconds, attoseconds) = duration.components
        microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }

    /// When a connection is due after a run, on its own grid that begins at its phase: a connection keeps its place within the
    /// interval for good, whatever is restarted.
    ///
    /// Usually that is the next grid point. After a late run it would be too soon: if less than half of the interval is left, the
    /// run waits half an interval more, and the one after it is back on the grid. So two runs are never closer than half an
    /// interval or further apart than a whole one, and connections that are late together stay as evenly spread as their phases.
    ///
    /// - Parameter last: When it ran, in microseconds since 1970.
    func next(after last: Int64, phase: Phase) -> Int64 {
        let left = microseconds - elapsed(at: last, phase)
        return last.advancedWithinBounds(by: left * 2 >= microseconds ? left : left + microseconds / 2)
    }

    /// The connection's first grid point at or after a moment.
    func first(from moment: Int64, phase: Phase) -> Int64 {
        let elapsed = elapsed(at: moment, phase)
        return elapsed == 0 ? moment : moment.advancedWithinBounds(by: microseconds - elapsed)
    }

    /// The time since the latest grid point.
    private func elapsed(at moment: Int64, _ phase: Phase) -> Int64 {
        let difference = moment % microseconds - phase.part(of: microseconds)
        let rest = difference % microseconds
        return rest < 0 ? rest + microseconds : rest
    }
}
