/// Moments are microseconds since 1970 in 64 bits, and clocks may be set to anything: out-of-range values are clamped.
extension Int64 {
    /// The moment of a second since 1970.
    init(momentOfSecond second: Int64) {
        let (moment, overflows) = second.multipliedReportingOverflow(by: 1_000_000)
        self = overflows ? (second < 0 ? .min : .max) : moment
    }

    /// The moment moved by a distance, forward or back.
    func advancedWithinBounds(by distance: Int64) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(distance)
        if overflows { return distance < 0 ? .min : .max }
        return sum
    }
}
