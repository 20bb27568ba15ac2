extension Duration {
    /// Whole microseconds, or the largest number of them. Division by `.microseconds(1)` goes through a `Double`, and makes one too few of 26 hours.
    package var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, overflows) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000)
        return isTooLong || overflows ? (seconds < 0 ? .min : .max) : sum
    }
}
