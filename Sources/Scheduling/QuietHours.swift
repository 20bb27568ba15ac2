package import PlugCore

/// The part of each day in which nothing is synced, by the clocks of a zone: from 22:00 to 07:00.
///
/// It is quiet whenever those clocks show a time within it. So a night in which they are put forward is shorter, and a time that
/// they show twice is quiet both times or neither.
package struct QuietHours: Sendable, Equatable {
    /// When they begin; seconds of the day.
    let start: Int64
    /// When they end; seconds of the day. Before `start` if midnight is in between.
    let end: Int64
    /// The zone of the clocks.
    package let zone: NamedZone

    /// Quiet hours between two times such as `22:00` and `07:00`.
    ///
    /// - Throws: `bad-quiet-hours`.
    package init(from start: String, to end: String, in zone: NamedZone) throws(ScheduleFault) {
        self.start = try Self.time(start)
        self.end = try Self.time(end)
        self.zone = zone
        guard self.start != self.end else {
            let message = "quiet hours that begin and end at \(ScheduleFault.quoted(start))"
            let advice = "write two different times; to sync nothing at all, pause the connection"
            throw ScheduleFault(.badQuietHours, message, advice: advice, in: end)
        }
    }

    /// Parses hours and minutes; 24:00 is 00:00.
    private static func time(_ text: String) throws(ScheduleFault) -> Int64 {
        let digits = text.utf8.map { Int64($0) - 0x30 }
        // The colon follows the digits in ASCII.
        if digits.count == 5, digits[2] == 10, (digits[..<2] + digits[3...]).allSatisfy({ 0...9 ~= $0 }) {
            let minutes = (digits[0] * 10 + digits[1]) * 60 + digits[3] * 10 + digits[4]
            if digits[3] < 6, minutes <= 24 * 60 { return minutes * 60 % 86_400 }
        }
        let message = "\(ScheduleFault.quoted(text)) is not a time of day"
        throw ScheduleFault(.badQuietHours, message, advice: "write hours and minutes, such as 07:00", in: text)
    }

    /// Whether it is quiet at a moment in seconds since 1970.
    func isQuiet(at moment: Int64) -> Bool {
        let time = Self.time(of: moment + zone.offset(at: moment))
        return start < end ? start..<end ~= time : time >= start || time < end
    }

    /// When quiet hours next begin or end: the first moment that differs from this one. Seconds since 1970.
    func turn(after moment: Int64) -> Int64 {
        let isQuiet = isQuiet(at: moment)
        let turn = isQuiet ? end : start
        var moment = moment
        // Each iteration ends at a clock change, or at the time itself.
        while true {
            let offset = zone.offset(at: moment)
            let left = Self.time(of: turn - moment - offset)
            let next = moment + (left == 0 ? 86_400 : left)
            if zone.offset(at: next) == offset { return next }
            moment = zone.change(after: moment, until: next)
            if self.isQuiet(at: moment) != isQuiet { return moment }
        }
    }

    private static func time(of local: Int64) -> Int64 { local - CivilDate.floored(local, 86_400) * 86_400 }
}
