extension Duration {
    /// Whole microseconds. Division by `.microseconds(1)` goes through a `Double`, and makes one too few of 26 hours.
    package var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000)
        if overflows { return seconds < 0 ? .min : .max }
        return product.addingReportingOverflow(attoseconds / 1_000_000_000_000).partialValue
    }
}
