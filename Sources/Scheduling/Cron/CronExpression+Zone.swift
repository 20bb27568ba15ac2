package import PlugCore

/// The expression in a zone whose clocks are put forward and back.
///
/// The rule is that of Debian's cron (vixie cron): specific times are neither skipped nor repeated, and wildcards count elapsed
/// time.
///
/// - A time that a day skips, because clocks are put forward over it, becomes the first moment after the gap. Several such times
///   become one. Only an expression for every hour skips them: its next time is near.
/// - A time that a day has twice, because clocks are put back, means the first occurrence. Expressions for every hour, or with
///   minutes such as `*/15`, run at both: they are an hour apart.
///
/// Debian's cron takes any `*` in minutes or hours as a wildcard. Here `*/12` in the hours means two specific hours: that cron
/// would skip midnight if clocks are put forward at midnight, and run twice if they are put back over it. Nor is the day of `*/15
/// 2 * * *` skipped if no clock shows two on it.
extension CronExpression {
    private static let day: Int64 = 86_400

    /// The first moment after another at which it is due. Both are microseconds since 1970.
    ///
    /// - Returns: The last representable moment, for anything beyond it.
    package func next(after moment: Int64, in zone: NamedZone) -> Int64 {
        firstSecond(from: CivilDate.floored(moment, 1_000_000) + 1, zone).map { Int64(momentOfSecond: $0) } ?? .max
    }

    /// The first moment at or after another, in seconds since 1970.
    private func firstSecond(from start: Int64, _ zone: NamedZone) -> Int64? {
        var start = start
        while true {
            // The relevant clock change may be in the past: for an hour after it, clocks show times for the second time.
            let end = start + 2 * Self.day
            let before = zone.offset(at: start - Self.day)
            let offset = zone.offset(at: end)
            var local = start + offset
            if before != offset {
                let change = zone.change(after: start - Self.day, until: end)
                if start < change, let time = first(from: start + before), time - before < change {
                    return time - before
                }
                if start <= change, isDueAfterGap(from: change + before, to: change + offset) { return change }
                local = max(start, change) + offset
                // Until the clocks have caught up, every time has occurred before.
                if !countsTime { local = max(local, change + before) }
            }
            guard let time = first(from: local) else { return nil }
            if time - offset < end { return time - offset }
            // Nothing is due until shortly before that time, whatever the clocks do meanwhile.
            start = max(start + Self.day, time - offset - Self.day * 3 / 2)
        }
    }

    /// Whether a skipped time has to be made up for. If clocks are put back, `end` is before `start`.
    private func isDueAfterGap(from start: Int64, to end: Int64) -> Bool {
        guard !isEachHour, start < end, let time = first(from: start) else { return false }
        return time < end
    }
}
