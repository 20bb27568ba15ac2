internal import PlugCore

/// How much time lies between two syncs of a connection: `15m`, `1h`, `1d`.
package struct Interval: Sendable, Equatable {
    /// What an interval may be: shorter ones trouble sources, longer ones are mistakes.
    package static let bounds: ClosedRange<Duration> = .seconds(60)...(.seconds(366 * 86_400))

    /// Its length.
    package let microseconds: Int64

    /// Reads a count and a unit.
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

    /// An interval of so much time; what is finer than microseconds is cut off.
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

    /// When a connection is due after it ran, by a grid of its own that begins at its phase: a connection keeps its place
    /// within the interval for good, whatever is restarted.
    ///
    /// Usually that is the next point of the grid. After a run that came late it would be too soon: where less than half
    /// of the interval is left, the run waits for half an interval more, and the one after it is back on the grid. So two
    /// runs are never nearer than half an interval, nor farther than a whole one, and those who are late together stay as
    /// evenly spread as their phases.
    ///
    /// - Parameter last: When it ran, in microseconds since 1970.
    func next(after last: Int64, phase: Phase) -> Int64 {
        let left = microseconds - elapsed(at: last, phase)
        return last.advancedWithinBounds(by: left * 2 >= microseconds ? left : left + microseconds / 2)
    }

    /// The first point of the connection's grid that is not before a moment.
    func first(from moment: Int64, phase: Phase) -> Int64 {
        let elapsed = elapsed(at: moment, phase)
        return elapsed == 0 ? moment : moment.advancedWithinBounds(by: microseconds - elapsed)
    }

    /// The time since the latest point of the grid.
    private func elapsed(at moment: Int64, _ phase: Phase) -> Int64 {
        let difference = moment % microseconds - phase.part(of: microseconds)
        let rest = difference % microseconds
        return rest < 0 ? rest + microseconds : rest
    }
}
