package import PlugCore

/// The expression by the clocks of a zone, which are put forward and back.
///
/// The rule is that of Debian's cron (vixie cron): times that are named are neither lost nor doubled, and wildcards count
/// the time that passes.
///
/// - A time that a day does not have, because clocks are put forward over it, is the first moment after the gap. Several
///   such times are one. Only an expression for every hour leaves them out: its next time is near.
/// - A time that a day has twice, because clocks are put back, is the first of both. Expressions for every hour, or with
///   minutes such as `*/15`, have both: an hour passes between them.
///
/// Debian's cron takes every `*` in minutes or hours for a wildcard. Here `*/12` in the hours names two hours: that cron
/// would leave midnight out where clocks are put forward at midnight, and have it twice where they are put back over it.
/// Nor is the day of `*/15 2 * * *` left out on which no clock shows two.
extension CronExpression {
    private static let day: Int64 = 86_400

    /// The first moment after another one at which it is due. Both are microseconds since 1970.
    ///
    /// - Returns: The last moment there is, for what is behind it.
    package func next(after moment: Int64, in zone: NamedZone) -> Int64 {
        firstSecond(from: CivilDate.floored(moment, 1_000_000) + 1, zone).map { Int64(momentOfSecond: $0) } ?? .max
    }

    /// The first moment that is not before another, in seconds since 1970.
    private func firstSecond(from start: Int64, _ zone: NamedZone) -> Int64? {
        var start = start
        while true {
            // The clocks' change that matters may be behind: until an hour after it, they show times for the second time.
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
                // Until the clocks have caught up, all times have been there before.
                if !countsTime { local = max(local, change + before) }
            }
            guard let time = first(from: local) else { return nil }
            if time - offset < end { return time - offset }
            // Nothing is due until shortly before that time, whatever the clocks do on the way.
            start = max(start + Self.day, time - offset - Self.day * 3 / 2)
        }
    }

    /// Whether a time is left out that is to be made up for. Where clocks are put back, `end` lies before `start`.
    private func isDueAfterGap(from start: Int64, to end: Int64) -> Bool {
        guard !isEachHour, start < end, let time = first(from: start) else { return false }
        return time < end
    }
}
