/// Which occurrences of recurring components are wanted: those around an instant.
package struct CalendarWindow: Sendable, Equatable {
    /// How far back.
    package var past: Duration
    /// How far ahead.
    package var future: Duration

    /// A window; by default a year in both directions.
    package init(past: Duration = .seconds(365 * 86400), future: Duration = .seconds(365 * 86400)) {
        (self.past, self.future) = (past, future)
    }

    /// Seconds since 1970.
    func around(_ now: Int64) -> ClosedRange<Int64> {
        (now - max(0, past.components.seconds))...(now + max(0, future.components.seconds))
    }
}
