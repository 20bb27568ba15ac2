package import PlugCore

/// When a connection is due: its rhythm, and its quiet hours.
///
/// All moments are microseconds since 1970, by the host's clocks. There is no state: the same inputs give the same results in
/// every process.
package struct Schedule: Sendable, Equatable {
    /// How runs follow one another.
    package enum Rhythm: Sendable, Equatable {
        /// At a fixed interval, at the connection's own place within it.
        case every(Interval)
        /// At the times of a cron expression in a zone. With `spread`, a connection is due up to a minute later, by its own share
        /// of a tenth of the time until the next one: many expressions name the same full hour.
        case cron(CronExpression, NamedZone, spread: Bool)
    }

    /// How runs follow one another.
    package var rhythm: Rhythm
    /// When no run is due. Any due then are due afterwards, once.
    package var quietHours: QuietHours?

    /// A schedule.
    package init(_ rhythm: Rhythm, quietHours: QuietHours? = nil) {
        self.rhythm = rhythm
        self.quietHours = quietHours
    }

    /// How much later than `now` a plausible `last` may be: disciplined clocks step back slightly.
    private static let tolerance: Int64 = 60_000_000
    /// The longest time over which connections are spread when their quiet hours end together.
    private static let longestSpread: Int64 = 3_600_000_000

    /// When a connection is due next, `now` at the earliest.
    ///
    /// Missed times count as one: after a day without a host, an hourly connection is due now, and then at its own time. If
    /// `last` is in the future, the clock was set back (or had been wrong before), and `last` is ignored: the connection keeps to
    /// its own times, so that they neither all run at once nor wait for the clock to catch up. Quiet hours aside, it is due
    /// within one interval, or at the next time of its expression.
    ///
    /// The result is intended to be kept until the connection has run or the clock was set. A caller that asks repeatedly instead
    /// can miss the time of a connection that has no `last`.
    ///
    /// - Parameters:
    ///   - last: When the connection's last run began; `nil` if it never ran, so that a million new ones are spread too.
    ///   - now: The current time by the clock.
    ///   - phase: The connection's own phase.
    package func due(after last: Int64?, now: Int64, phase: Phase) -> Int64 {
        let due = heard(next(after: last, now, phase), phase)
        return due < now ? heard(now, phase) : due
    }

    /// The time from the rhythm alone; in the past if a time was missed.
    private func next(after last: Int64?, _ now: Int64, _ phase: Phase) -> Int64 {
        switch rhythm {
        case .every(let interval):
            let tolerance = min(Self.tolerance, interval.microseconds / 2)
            guard let last, last <= now.advancedWithinBounds(by: tolerance) else {
                return interval.first(from: now, phase: phase)
            }
            let latest = now.advancedWithinBounds(by: interval.microseconds)
            return min(interval.next(after: last, phase: phase), latest)
        case .cron(let expression, let zone, let spread):
            guard let last, last <= now.advancedWithinBounds(by: Self.tolerance) else {
                // A time that has just passed may still be ahead once the connection's delay is added.
                var time = now.advancedWithinBounds(by: spread ? -Self.tolerance - 1 : -1)
                while true {
                    time = expression.next(after: time, in: zone)
                    let due = time.advancedWithinBounds(by: spread ? delay(time, expression, zone, phase) : 0)
                    if due >= now { return due }
                }
            }
            let time = expression.next(after: last, in: zone)
            return time.advancedWithinBounds(by: spread ? delay(time, expression, zone, phase) : 0)
        }
    }

    /// How much later than a time of its expression a connection is due.
    private func delay(_ time: Int64, _ expression: CronExpression, _ zone: NamedZone, _ phase: Phase) -> Int64 {
        phase.part(of: min(60_000_000, (expression.next(after: time, in: zone) - time) / 10))
    }

    /// The moment itself, or one after the quiet hours if it is within them: not all at their end.
    func heard(_ moment: Int64, _ phase: Phase) -> Int64 {
        let second = CivilDate.floored(moment, 1_000_000)
        guard let quietHours, quietHours.isQuiet(at: second) else { return moment }
        let end = quietHours.turn(after: second)
        let room = (quietHours.turn(after: end) - end) * 1_000_000
        let spread: Int64 =
            switch rhythm {
            case .every(let interval): min(interval.microseconds, Self.longestSpread)
            case .cron(_, _, spread: true): 60_000_000
            case .cron(_, _, spread: false): 0
            }
        return Int64(momentOfSecond: end).advancedWithinBounds(by: phase.part(of: min(spread, room)))
    }
}
