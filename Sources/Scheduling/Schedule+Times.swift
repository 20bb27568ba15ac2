extension Schedule {
    /// The first of a connection's own times after a moment, whatever ran when: for parts of it that run in other rhythms, so
    /// that a run for one of them is none for the others. Quiet hours do not count.
    package func time(after moment: Int64, phase: Phase) -> Int64 {
        switch rhythm {
        case .every(let interval): interval.first(from: moment.advancedWithinBounds(by: 1), phase: phase)
        case .cron(let expression, let zone, _): expression.next(after: moment, in: zone)
        }
    }

    /// The moment itself, or where it is quiet then, one after the quiet hours.
    package func afterQuiet(_ moment: Int64, phase: Phase) -> Int64 { heard(moment, phase) }
}
