internal import PlugCore

/// The zones of a calendar: those that the system knows by name, and those that the file itself describes.
struct CalendarZones {
    private enum Rule {
        case system(NamedZone)
        /// When each offset begins, by the wall clock before it, in order.
        case own(ArraySlice<(onset: Int64, before: Int64, after: Int64)>)
    }

    private var rules: [String: Rule] = [:]
    /// Names that neither the file nor the system knows, among those asked for so far, and those that were told.
    private var (unknown, told): (Set<String>, Set<String>) = ([], [])

    /// More descriptions than this are an attack, not a calendar.
    static let limit = 1000
    /// How many changes one rule of a zone may make: enough for five hundred years.
    private static let onsetLimit = 500

    /// Adds the description of a zone. A zone that the system knows by name is left to the system: files have outdated rules.
    ///
    /// - Parameter budget: How many instants its rules may examine.
    mutating func add(_ component: CalendarComponent, _ budget: inout Int) throws(DecodingFault) {
        guard let name = component["TZID"].map({ ContentLine.zoneName(of: $0.text) }) else { return }
        unknown.remove(name)
        if let system = ZoneNames.system(name) ?? component["X-LIC-LOCATION"].flatMap({ ZoneNames.system($0.text) }) {
            rules[name] = Rule.system(system)
            return
        }
        if rules.count >= Self.limit {
            throw DecodingFault(.overLimit, "it has more than \(Self.limit) time zones", line: component.line)
        }
        var onsets: [(onset: Int64, before: Int64, after: Int64)] = []
        for part in component.components {
            // With half of its description a zone would be wrong for half of the year: it counts as unknown.
            guard let start = part["DTSTART"].flatMap({ CalendarTime($0.value, zone: nil) }),
                let before = part["TZOFFSETFROM"].flatMap({ Self.offset($0.value) }),
                let after = part["TZOFFSETTO"].flatMap({ Self.offset($0.value) })
            else { return }
            var starts: Set<Int64> = [start.local]
            for line in part.all("RDATE") {
                guard let times = CalendarTime.all(of: line) else { return }
                for time in times { starts.insert(time.local) }
            }
            if let line = part["RRULE"] {
                guard let rule = RecurrenceRule(line.value) else { return }
                // UNTIL is in UTC there; a few hours make no difference between two changes.
                let found = rule.times(
                    from: start.local,
                    in: Int64.min...4_102_444_800,
                    limit: Self.onsetLimit,
                    &budget
                ) { $0 - before }
                starts.formUnion(found.times)
            }
            onsets += starts.map { ($0, before, after) }
        }
        if !onsets.isEmpty { rules[name] = Rule.own(onsets.sorted { $0.onset < $1.onset }.suffix(2 * Self.onsetLimit)) }
    }

    private static func offset(_ text: String) -> Int64? {
        let sign: Int64 = text.hasPrefix("-") ? -1 : 1
        let digits = text.filter { $0 != ":" && $0 != " " }.drop { $0 == "+" || $0 == "-" }
        guard [2, 4, 6].contains(digits.count), digits.allSatisfy({ ("0"..."9").contains($0) }),
            let value = Int64(digits)
        else { return nil }
        let full = digits.count == 2 ? value * 10_000 : digits.count == 4 ? value * 100 : value
        return sign * (full / 10000 * 3600 + full / 100 % 100 * 60 + full % 100)
    }

    /// Whether a zone is known by now.
    mutating func knows(_ name: String) -> Bool {
        prepare(CalendarTime(local: 0, zone: .named(name)))
        return rules[name] != nil
    }

    /// Registers a zone that is about to be asked for.
    mutating func prepare(_ time: CalendarTime) {
        guard case .named(let name) = time.zone, rules[name] == nil, !unknown.contains(name),
            rules.count + unknown.count < Self.limit
        else { return }
        if let system = ZoneNames.system(name) ?? ZoneNames.short(name) {
            rules[name] = Rule.system(system)
        } else if let offset = ZoneNames.offset(name) {
            rules[name] = Rule.own([(.min / 2, offset, offset)])
        } else {
            unknown.insert(name)
        }
    }

    /// Whether an unknown zone was not told before.
    mutating func isNews(_ name: String) -> Bool { told.count < Self.limit && told.insert(name).inserted }

    /// Seconds since 1970, `nil` for a day, a floating time, or an unknown zone.
    ///
    /// A time that a change skips is read with the offset before it; a time that occurs twice is the first one.
    func utc(_ time: CalendarTime) -> Int64? {
        switch time.zone {
        case .utc: return time.local
        case .day, .floating: return nil
        case .named(let name):
            guard let rule = rules[name] else { return nil }
            switch rule {
            case .own(let onsets):
                let next = Self.firstIndex(in: onsets, after: time.local)
                guard next > onsets.startIndex else { return time.local - (onsets.first?.before ?? 0) }
                let last = onsets[next - 1]
                // Between the old clock's time of the change and the new one's there is nothing.
                let isGap = time.local - last.onset < last.after - last.before
                return time.local - (isGap ? last.before : last.after)
            case .system(let zone): return zone.seconds(ofLocal: time.local)
            }
        }
    }

    /// The first change after a time: by halves, because a file may have many times and many changes.
    private static func firstIndex(
        in onsets: ArraySlice<(onset: Int64, before: Int64, after: Int64)>,
        after time: Int64
    ) -> Int {
        var (low, high) = (onsets.startIndex, onsets.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if onsets[middle].onset <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The name of a time's zone, if it is known.
    func name(of time: CalendarTime) -> String? {
        switch time.zone {
        case .utc: "UTC"
        case .named(let name): name
        case .day, .floating: nil
        }
    }
}
