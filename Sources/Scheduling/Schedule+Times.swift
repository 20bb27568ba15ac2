extension Schedule {
    /// The first of a connection's own times after a moment, regardless of past runs: for parts of it with other rhythms, so that
    /// a run for one does not count for the others. Quiet hours are ignored.
    package func time(after moment: Int64, phase: Phase) -> Int64 {
        switch rhythm {
        case .every(let interval): interval.first(from: moment.advancedWithinBounds(by: 1), phase: phase)
        case .cron(let expression, let zone, _): expression.next(after: moment, in: zone)
        }
    }

    /// The moment itself, or one after the quiet hours if it is within them.
    package func afterQuiet(_ moment: Int64, phase: Phase) -> Int64 { heard(moment, phase) }
}
