/// A time that RDATE adds, and its duration if it is written as a period (RFC 5545, 3.3.9).
struct CalendarPeriod {
    let start: CalendarTime
    let length: CalendarTime.Length?

    /// Reads `20261122T100000Z`, `20261122T100000Z/PT1H` or `20261122T100000Z/20261122T110000Z`, in the zone of the property.
    init?(_ text: Substring, of line: ContentLine, _ zones: inout CalendarZones) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let start = CalendarTime(parts[0], of: line) else { return nil }
        zones.prepare(start)
        self.start = start
        guard parts.count == 2 else {
            length = nil
            return
        }
        if let length = CalendarTime.duration(String(parts[1])) {
            self.length = length
            return
        }
        guard let end = CalendarTime(parts[1], of: line) else { return nil }
        zones.prepare(end)
        length = CalendarTime.Length(seconds: (zones.utc(end) ?? end.local) - (zones.utc(start) ?? start.local))
    }
}
