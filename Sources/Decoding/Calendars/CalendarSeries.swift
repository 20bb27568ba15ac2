/// The occurrences of a recurring component within a window: RRULE and RDATE without EXDATE, and without those that other
/// components replace.
struct CalendarSeries {
    /// The maximum number of occurrences of one component.
    static let limit = 5000
    /// How many bytes all of them may take: one of 50 kB with thousands of them is an attack.
    static let sizeLimit = 64 << 20

    /// Why a component is broken.
    struct Broken: Error { var reason: String }

    let component: CalendarComponent
    /// Why its occurrences are incomplete.
    private(set) var cut: RecurrenceRule.Cut?
    private var times: [CalendarTime] = []
    /// The durations of occurrences given as periods, by their texts: they override the component's own (3.8.5.2).
    private var lengths: [String: CalendarTime.Length] = [:]
    private var at = 0
    private var record: CalendarRecord

    /// - Parameters:
    ///   - left: Texts of the occurrences that are replaced.
    ///   - budget: How many instants may still be examined.
    init(
        _ component: CalendarComponent,
        without left: Set<String>,
        _ zones: inout CalendarZones,
        _ window: ClosedRange<Int64>,
        _ budget: inout Int
    ) throws(Broken) {
        self.component = component
        guard let line = component["DTSTART"], let start = CalendarTime(line.value, zone: line.zone) else {
            throw Broken(reason: "it recurs, and has no DTSTART that is a time")
        }
        zones.prepare(start)
        var known: Set<String> = []
        var days: Set<Int64> = []
        for time in try Self.exceptions(of: component, &zones) {
            known.insert(time.matched(to: start, zones).text(in: zones))
            // The day alone stands for all occurrences on it.
            if time.zone == .day { days.insert(time.local) }
        }
        var all: [CalendarTime] = []
        let rules = component.all("RRULE")
        if rules.isEmpty { all.append(start) }
        let fixed = zones
        var incomplete: RecurrenceRule.Cut?
        func found(_ line: ContentLine) throws(Broken) -> (rule: RecurrenceRule, times: [CalendarTime]) {
            guard let rule = RecurrenceRule(line.value) else {
                throw Broken(reason: "its \(line.name) is not a rule that can be followed")
            }
            let found = rule.times(from: start.local, in: window, limit: Self.limit, &budget) { local in
                fixed.utc(CalendarTime(local: local, zone: start.zone)) ?? local
            }
            incomplete = incomplete ?? found.cut
            return (rule, found.times.map { CalendarTime(local: $0, zone: start.zone) })
        }
        for line in rules { all += try found(line).times }
        for line in component.all("EXRULE") {
            let (rule, times) = try found(line)
            for time in times where time != start || rule.gives(start.local) { known.insert(time.text(in: zones)) }
        }
        for line in component.all("RDATE") {
            for part in line.value.split(separator: ",") {
                guard let period = CalendarPeriod(part, of: line, &zones) else {
                    throw Broken(reason: "its RDATE is not a time")
                }
                let time = period.length == nil ? period.start.matched(to: start, zones) : period.start
                all.append(time)
                if let length = period.length { lengths[time.text(in: zones)] = length }
            }
        }
        cut = incomplete
        for time in all {
            let text = time.text(in: zones)
            guard window.contains(zones.utc(time) ?? time.local), !days.contains(time.day), !left.contains(text),
                known.insert(text).inserted
            else { continue }
            if times.count == Self.limit {
                cut = .tooMany
                break
            }
            times.append(time)
        }
        record = CalendarRecord(component, zones, isSeries: true)
        let most = Self.sizeLimit / max(1, record.sharedSize)
        if times.count > most {
            times.removeLast(times.count - most)
            cut = .tooLarge
        }
    }

    private static func exceptions(of component: CalendarComponent, _ zones: inout CalendarZones) throws(Broken)
        -> [CalendarTime]
    {
        var times: [CalendarTime] = []
        for line in component.all("EXDATE") {
            guard let more = CalendarTime.all(of: line) else { throw Broken(reason: "its EXDATE is not a time") }
            for time in more { zones.prepare(time) }
            times += more
        }
        return times
    }

    /// Writes the next record; `false` if there is none.
    mutating func next(into block: BlockBuilder) -> Bool {
        guard at < times.count else { return false }
        record.move(to: times[at], lengths)
        at += 1
        block.begin()
        record.write(to: block.json)
        return true
    }
}
