/// Moments are microseconds since 1970 in 64 bits, and clocks may be set to anything: what is beyond is the last one.
extension Int64 {
    /// The moment of a second since 1970.
    init(momentOfSecond second: Int64) {
        let (moment, overflows) = second.multipliedReportingOverflow(by: 1_000_000)
        self = overflows ? (second < 0 ? .min : .max) : moment
    }

    /// The moment so much later, or earlier.
    func advancedWithinBounds(by distance: Int64) -> Int64 {
        let (sum, overflows) = addingReportingOverflow(distance)
        if overflows { return distance < 0 ? .min : .max }
        return sum
    }
}
