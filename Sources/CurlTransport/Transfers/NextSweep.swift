/// When the loop checks the deadlines of its transfers next, on the monotonic clock: never later than the earliest of them.
///
/// Bytes only extend a deadline, but a new phase of a transfer may have an earlier one. Belongs to the loop's thread.
final class NextSweep {
    private(set) var time = Int64.max

    /// Starts again, as if there were no deadlines.
    func clear() { time = .max }

    /// Notes a deadline, `nil` if there is none.
    func note(_ deadline: Int64?) {
        if let deadline, deadline < time { time = deadline }
    }
}
