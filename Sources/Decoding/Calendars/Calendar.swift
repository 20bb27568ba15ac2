/// What of things that recur is wanted: seconds around a moment.
package struct CalendarWindow: Sendable, Equatable {
    /// How far back.
    package var past: Duration
    /// How far ahead.
    package var future: Duration

    /// A window; a year to both sides.
    package init(past: Duration = .seconds(365 * 86400), future: Duration = .seconds(365 * 86400)) {
        (self.past, self.future) = (past, future)
    }
}

/// The components of calendars (iCalendar, RFC 5545): events, tasks, journal entries.
///
/// What recurs gives a record for each time within the window. It is kept until the end of its calendar, because single times of
/// it may be moved anywhere in the file; and so is what has a zone that is not described yet. All else is given at once.
package struct Calendar: RecordDecoder {
    /// How many components that recur, or replace a time of one, a calendar may have.
    static let heldLimit = 20_000
    /// How many times of one component are given at most.
    static let timesLimit = 5000
    /// How deep components may be inside each other.
    private static let depthLimit = 8

    private let limits: DecodingLimits
    private let window: ClosedRange<Int64>
    private var lines: LineReader
    /// The line that may be continued by the next one, and its number.
    private var folded: (bytes: [UInt8], line: Int)?
    private var stack: [CalendarComponent] = []
    private var zones = CalendarZones()
    private var held: [CalendarComponent] = []
    private var heldBytes = 0
    private var hasBegun = false

    /// A decoder of one file.
    ///
    /// - Parameter now: Seconds since 1970: what the window is around.
    package init(_ window: CalendarWindow, now: Int64, _ limits: DecodingLimits = DecodingLimits()) {
        self.limits = limits
        let (past, future) = (window.past.components.seconds, window.future.components.seconds)
        self.window = (now - max(0, past))...(now + max(0, future))
        lines = LineReader(limit: limits.record, endsAtCR: true)
    }

    package mutating func take(_ bytes: UnsafeRawBufferPointer, into block: BlockBuilder) throws(DecodingFault) {
        var reader = lines
        lines = LineReader(limit: 0, endsAtCR: true)
        try reader.take(bytes) { text, line throws(DecodingFault) in try add(text, line, block) }
        lines = reader
    }

    package mutating func finish(into block: BlockBuilder) throws(DecodingFault) {
        var reader = lines
        try reader.finish { text, line throws(DecodingFault) in try add(text, line, block) }
        try unfold(block)
        if let open = stack.last {
            throw DecodingFault(.malformed, "the \(open.type) that begins in this line does not end", line: open.line)
        }
        if !hasBegun { throw DecodingFault(.otherFormat, "it has no BEGIN:VCALENDAR") }
        giveHeld(block)
    }

    // MARK: - Lines

    /// A line that begins with a blank continues the one before it (3.1).
    private mutating func add(_ text: UnsafeRawBufferPointer, _ line: Int, _ block: BlockBuilder) throws(DecodingFault)
    {
        if let first = text.first, first == 0x20 || first == 0x09, folded != nil {
            folded?.bytes.append(contentsOf: text.dropFirst())
            if let folded, folded.bytes.count > limits.record {
                let reason = "a property is longer than the limit of \(limits.record) bytes"
                throw DecodingFault(.overLimit, reason, line: folded.line)
            }
            return
        }
        try unfold(block)
        if !text.isEmpty { folded = (Array(text), line) }
    }

    private mutating func unfold(_ block: BlockBuilder) throws(DecodingFault) {
        guard let (bytes, line) = folded else { return }
        folded = nil
        let text = String(decoding: bytes, as: UTF8.self)
        guard hasBegun || text.uppercased() == "BEGIN:VCALENDAR" else {
            throw DecodingFault(.otherFormat, "it does not begin with BEGIN:VCALENDAR", line: line)
        }
        hasBegun = true
        guard let property = ContentLine(text) else {
            // One line that is none makes its component broken, and no other.
            if !stack.isEmpty { stack[stack.count - 1].fault = stack[stack.count - 1].fault ?? line }
            return
        }
        switch property.name {
        case "BEGIN":
            guard stack.count < Self.depthLimit else {
                throw DecodingFault(
                    .overLimit,
                    "its components are nested deeper than \(Self.depthLimit) levels",
                    line: line
                )
            }
            stack.append(CalendarComponent(property.value.uppercased(), line: line))
        case "END": try end(property.value.uppercased(), line, block)
        default:
            guard !stack.isEmpty else { return }
            let top = stack.count - 1
            stack[top].size += bytes.count
            if stack[top].size > limits.record {
                let reason = "a component is longer than the limit of \(limits.record) bytes"
                throw DecodingFault(.overLimit, reason, line: stack[top].line)
            }
            if stack[top].type != "VCALENDAR" { stack[top].properties.append(property) }
        }
    }

    private mutating func end(_ type: String, _ line: Int, _ block: BlockBuilder) throws(DecodingFault) {
        guard let component = stack.popLast(), component.type == type else {
            throw DecodingFault(.malformed, "the END of this line has no BEGIN", line: line)
        }
        switch type {
        case "VCALENDAR": giveHeld(block)
        case "VTIMEZONE": try zones.add(component)
        default:
            guard stack.last?.type == "VCALENDAR" else {
                if !stack.isEmpty {
                    stack[stack.count - 1].components.append(component)
                    stack[stack.count - 1].size += component.size
                }
                return
            }
            let isHeld = Self.recurs(component) || component["RECURRENCE-ID"] != nil || !knowsZones(of: component)
            guard isHeld, component.fault == nil else { return give(component, block) }
            held.append(component)
            heldBytes += component.size
            if held.count > Self.heldLimit || heldBytes > 8 * limits.record {
                let reason =
                    "more than \(Self.heldLimit) components recur or have zones that come later, or they have more than \(8 * limits.record) bytes"
                throw DecodingFault(.overLimit, reason, line: component.line)
            }
        }
    }

    private static func recurs(_ component: CalendarComponent) -> Bool {
        component["RRULE"] != nil || component["RDATE"] != nil
    }

    /// Whether all zones of a component are known by now: their description may stand behind it.
    private mutating func knowsZones(of component: CalendarComponent) -> Bool {
        component.properties.allSatisfy { $0.parameter("TZID").map { zones.knows($0) } ?? true }
    }

    // MARK: - Records

    private mutating func give(_ component: CalendarComponent, _ block: BlockBuilder) {
        guard component.fault == nil else { return giveBroken(component, "it has a line that is no property", block) }
        for line in component.properties where ["DTSTART", "DTEND", "DUE", "RECURRENCE-ID"].contains(line.name) {
            guard let time = CalendarTime(line.value, zone: line.parameter("TZID")) else {
                return giveBroken(component, "its \(line.name) is no time", block)
            }
            zones.prepare(time)
        }
        block.begin()
        CalendarRecord(component, zones).write(to: block.json)
    }

    private func giveBroken(_ component: CalendarComponent, _ reason: String, _ block: BlockBuilder) {
        let text = component.properties.map { "\($0.name):\($0.value)\n" }.joined()
        Array("BEGIN:\(component.type)\n\(text)".utf8).withUnsafeBytes {
            block.append(BrokenRecord(line: component.line, reason: reason, $0))
        }
    }

    /// Gives what recurs: each time within the window but those that are left out or replaced.
    private mutating func giveHeld(_ block: BlockBuilder) {
        let all = held
        (held, heldBytes) = ([], 0)
        var replaced: [String: Set<String>] = [:]
        for component in all {
            guard let uid = component["UID"]?.value, let line = component["RECURRENCE-ID"],
                let time = CalendarTime(line.value, zone: line.parameter("TZID"))
            else { continue }
            zones.prepare(time)
            replaced[uid, default: []].insert(time.text(in: zones))
        }
        for component in all {
            if component["RECURRENCE-ID"] != nil || !Self.recurs(component) {
                give(component, block)
            } else {
                expand(component, without: replaced[component["UID"]?.value ?? ""] ?? [], block)
            }
        }
    }

    private mutating func expand(
        _ component: CalendarComponent,
        without replaced: Set<String>,
        _ block: BlockBuilder
    ) {
        guard let line = component["DTSTART"], let start = CalendarTime(line.value, zone: line.parameter("TZID")) else {
            return giveBroken(component, "it recurs, and has no DTSTART that is a time", block)
        }
        zones.prepare(start)
        var left = replaced
        for line in component.all("EXDATE") {
            guard let times = CalendarTime.all(of: line) else {
                return giveBroken(component, "its EXDATE is no time", block)
            }
            for time in times {
                zones.prepare(time)
                left.insert(time.text(in: zones))
            }
        }
        let zones = zones
        var times: [CalendarTime] = []
        var isCut = false
        let rules = component.all("RRULE")
        if rules.isEmpty { times.append(start) }
        for line in rules {
            guard let rule = RecurrenceRule(line.value) else {
                return giveBroken(component, "its RRULE is no rule", block)
            }
            let found = rule.times(from: start.local, in: window, limit: Self.timesLimit) { local in
                zones.utc(CalendarTime(local: local, zone: start.zone)) ?? local
            }
            times += found.times.map { CalendarTime(local: $0, zone: start.zone) }
            isCut = isCut || found.isCut
        }
        for line in component.all("RDATE") {
            guard let more = CalendarTime.all(of: line) else {
                return giveBroken(component, "its RDATE is no time", block)
            }
            for time in more { self.zones.prepare(time) }
            times += more
        }
        var seen = left
        var record = CalendarRecord(component, self.zones)
        for time in times {
            let moment = self.zones.utc(time) ?? time.local
            guard window.contains(moment), seen.insert(time.text(in: self.zones)).inserted else { continue }
            record.move(to: time)
            block.begin()
            record.write(to: block.json)
        }
        if isCut {
            giveBroken(
                component,
                "it recurs more often than the limit of \(Self.timesLimit) times; the others are left out",
                block
            )
        }
    }
}
