/// A component in the shape that all of them share: the usual members, always all of them, and all properties under `raw`.
struct CalendarRecord {
    private let component: CalendarComponent
    private let zones: CalendarZones
    private var start: CalendarTime?
    /// When it ends, in its own zone.
    private var end: CalendarTime?
    /// Its duration, if it recurs.
    private let length: CalendarTime.Length?
    private var recurrence: CalendarTime?
    /// What all occurrences of a series share, written once: they may be thousands, and this may be long.
    private var shared: JSONBytes?

    /// How many bytes of each occurrence that is.
    var sharedSize: Int { shared?.count ?? 0 }

    /// - Parameter isSeries: Whether it is written for each occurrence. The times that a series adds and leaves out are its own,
    ///   and no part of them.
    init(_ component: CalendarComponent, _ zones: CalendarZones, isSeries: Bool = false) {
        (self.component, self.zones) = (component, zones)
        func time(_ name: String) -> CalendarTime? {
            component[name].flatMap { CalendarTime($0.value, zone: $0.zone) }
        }
        let start = time("DTSTART")
        let given = time("DTEND") ?? time("DUE")
        let duration = component["DURATION"].flatMap { CalendarTime.duration($0.value) }
        (self.start, recurrence) = (start, component.recurrence ?? time("RECURRENCE-ID"))
        end = given ?? start.flatMap { start in duration.map { Self.later(start, by: $0, zones) } }
        if let start, let end {
            let (first, last) = (zones.utc(start) ?? start.local, zones.utc(end) ?? end.local)
            length = given == nil ? duration : CalendarTime.Length(seconds: last - first)
        } else {
            length = nil
        }
        guard isSeries else { return }
        let shared = JSONBytes(capacity: component.size + 1024)
        writeProperties(to: shared, without: ["EXDATE", "RDATE"])
        self.shared = shared
    }

    private static func later(_ time: CalendarTime, by length: CalendarTime.Length, _ zones: CalendarZones)
        -> CalendarTime
    {
        let day = CalendarTime(local: time.local + length.days * 86400, zone: time.zone)
        if case .named = time.zone, let utc = zones.utc(day) {
            return CalendarTime(local: utc + length.seconds, zone: .utc)
        }
        return CalendarTime(local: day.local + length.seconds, zone: time.zone)
    }

    /// Makes it one occurrence of a recurring component.
    ///
    /// - Parameter lengths: The durations of some occurrences, by their texts; the others last as long as the component says.
    mutating func move(to time: CalendarTime, _ lengths: [String: CalendarTime.Length]) {
        (start, recurrence) = (time, time)
        let own = lengths.isEmpty ? nil : lengths[time.text(in: zones)]
        end = (own ?? length).map { Self.later(time, by: $0, zones) }
    }

    func write(to json: JSONBytes) {
        json.append("{")
        member("type", component.type, json)
        member("uid", text("UID"), json)
        member("recurrence_id", recurrence?.text(in: zones), json)
        member("start", start?.text(in: zones), json)
        member("end", end?.text(in: zones), json)
        member("zone", start.flatMap { zones.name(of: $0) }, json)
        json.append(start?.zone == .day ? "\"all_day\":true," : "\"all_day\":false,")
        if let shared { json.append(shared.bytes) } else { writeProperties(to: json, without: []) }
        json.append("}")
    }

    /// The members that do not depend on the occurrence.
    private func writeProperties(to json: JSONBytes, without names: Set<String>) {
        for name in ["SUMMARY", "DESCRIPTION", "LOCATION", "STATUS", "URL", "ORGANIZER"] {
            member(name.lowercased(), text(name), json)
        }
        json.append("\"attendees\":")
        list(component.all("ATTENDEE").map(\.text), json)
        json.append(",\"categories\":")
        list(component.all("CATEGORIES").flatMap(\.texts), json)
        json.append(",")
        for (name, property) in [("created", "CREATED"), ("updated", "LAST-MODIFIED")] {
            member(name, time(property)?.text(in: zones), json)
        }
        json.append("\"raw\":")
        writeRaw(component, json, without: names)
    }

    private func time(_ name: String) -> CalendarTime? {
        component[name].flatMap { CalendarTime($0.value, zone: $0.zone) }
    }

    private func text(_ name: String) -> String? { component[name].map(\.text).flatMap { $0.isEmpty ? nil : $0 } }

    private func member(_ name: String, _ value: String?, _ json: JSONBytes) {
        json.appendString(name)
        json.append(":")
        if let value { json.appendString(value) } else { json.append("null") }
        json.append(",")
    }

    private func list(_ texts: [String], _ json: JSONBytes) {
        json.append("[")
        for (at, text) in texts.enumerated() {
            if at > 0 { json.append(",") }
            json.appendString(text)
        }
        json.append("]")
    }

    /// Each property by its name, as a list of `{"value": …, "params": {…}}`; nested components likewise.
    private func writeRaw(_ component: CalendarComponent, _ json: JSONBytes, without left: Set<String> = []) {
        var names: [String] = []
        var groups: [String: [ContentLine]] = [:]
        for line in component.properties where !left.contains(line.name) {
            if groups[line.name] == nil { names.append(line.name) }
            groups[line.name, default: []].append(line)
        }
        json.append("{")
        for (at, name) in names.enumerated() {
            if at > 0 { json.append(",") }
            json.appendString(name)
            json.append(":[")
            for (index, line) in (groups[name] ?? []).enumerated() {
                if index > 0 { json.append(",") }
                json.append("{\"value\":")
                json.appendString(line.text)
                if !line.parameters.isEmpty {
                    json.append(",\"params\":{")
                    for (place, parameter) in line.parameters.enumerated() {
                        if place > 0 { json.append(",") }
                        json.appendString(parameter.name)
                        json.append(":")
                        json.appendString(parameter.values.joined(separator: ","))
                    }
                    json.append("}")
                }
                json.append("}")
            }
            json.append("]")
        }
        if !component.components.isEmpty {
            json.append(names.isEmpty ? "\"components\":[" : ",\"components\":[")
            for (at, inner) in component.components.enumerated() {
                json.append(at > 0 ? ",{\"type\":" : "{\"type\":")
                json.appendString(inner.type)
                json.append(",\"raw\":")
                writeRaw(inner, json)
                json.append("}")
            }
            json.append("]")
        }
        json.append("}")
    }
}
