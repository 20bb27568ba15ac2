/// How long to wait before trying again: full jitter over a doubling ceiling, so that many clients do not return together.
package struct Backoff: Sendable, Equatable {
    /// The ceiling of the first wait.
    package var base: Duration
    /// The ceiling of every wait.
    package var maximum: Duration

    /// A back-off of 1 s that doubles up to `maximum`.
    package init(base: Duration = .seconds(1), maximum: Duration = .seconds(900)) {
        self.base = base
        self.maximum = maximum
    }

    /// The wait after `failures` failures in a row (from 1).
    ///
    /// - Parameter random: A number in `0..<1`.
    package func wait(after failures: Int, random: Double) -> Duration {
        let doublings = min(max(0, failures - 1), 30)
        let ceiling = min(maximum, base * Double(1 << doublings))
        return ceiling * random
    }
}
