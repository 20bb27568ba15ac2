/// The components of calendars (iCalendar, RFC 5545): events, tasks, journal entries.
///
/// A recurring component gives a record for each occurrence within the window. It is kept until the end of its calendar, because
/// single occurrences may be moved anywhere in the file; so is one in a zone not yet described. All others are given at once.
package struct CalendarDecoder: RecordDecoder {
    /// How many components that recur, or replace an occurrence, a calendar may have.
    static let heldLimit = 20_000
    /// How deep components may be nested.
    private static let depthLimit = 8
    /// How many bytes all occurrences of all recurring components may take as components.
    private static let expansionLimit = 1 << 30

    private let limit: Int
    private let window: ClosedRange<Int64>
    private var lines: LineReader
    private var folding = LineFolding()
    private var stack: [CalendarComponent] = []
    private var zones = CalendarZones()
    private var held: [CalendarComponent] = []
    private var heldBytes = 0
    private var hasBegun = false
    /// Recurring or held components of complete calendars, the next one last.
    private var waiting: [CalendarComponent] = []
    /// The occurrences that are replaced in their series, by `UID`.
    private var replaced: [String: Set<String>] = [:]
    /// The series being given.
    private var series: CalendarSeries?
    private var expanded = 0
    /// How many instants the rules of a file may still examine.
    private var budget = 20_000_000

    /// A decoder of one file.
    ///
    /// - Parameter now: Seconds since 1970: the centre of the window.
    package init(_ window: CalendarWindow, now: Int64, _ limits: DecodingLimits = DecodingLimits()) {
        limit = min(limits.record, .max / 16)
        self.window = window.around(now)
        lines = LineReader(limit: limit, endsAtCR: true)
    }

    package var isBehind: Bool { series != nil || !waiting.isEmpty || lines.isBehind }

    package mutating func take(_ bytes: UnsafeRawBufferPointer, into block: BlockBuilder) throws(DecodingFault) {
        try giveWaiting(block)
        if series != nil || !waiting.isEmpty { return }
        var reader = lines
        lines = LineReader(limit: 0, endsAtCR: true)
        try reader.take(bytes) { text, line throws(DecodingFault) in try add(text, line, block) }
        lines = reader
    }

    package mutating func finish(into block: BlockBuilder) throws(DecodingFault) {
        try giveWaiting(block)
        if series != nil || !waiting.isEmpty { return }
        var reader = lines
        lines = LineReader(limit: 0, endsAtCR: true)
        try reader.finish { text, line throws(DecodingFault) in try add(text, line, block) }
        lines = reader
        if isBehind { return }
        if let (bytes, line) = folding.end() { try read(bytes, line, block) }
        if let open = stack.last {
            throw DecodingFault(.malformed, "the \(open.type) that begins in this line does not end", line: open.line)
        }
        if !hasBegun { throw DecodingFault(.otherFormat, "it has no BEGIN:VCALENDAR") }
        // Some files have components after their calendar.
        release()
        try giveWaiting(block)
    }

    // MARK: - Lines

    /// Takes a line, and returns whether there is room for another.
    private mutating func add(_ text: UnsafeRawBufferPointer, _ line: Int, _ block: BlockBuilder) throws(DecodingFault)
        -> Bool
    {
        if let (bytes, line) = folding.take(text, line) { try read(bytes, line, block) }
        if folding.count > limit {
            throw DecodingFault(.overLimit, "a property is longer than the limit of \(limit) bytes", line: line)
        }
        return series == nil && waiting.isEmpty && !block.isFull
    }

    /// Reads a whole line.
    private mutating func read(_ bytes: [UInt8], _ line: Int, _ block: BlockBuilder) throws(DecodingFault) {
        let text = String(decoding: bytes, as: UTF8.self)
        // Lines are folded between bytes, so only whole ones can be checked.
        if case .whole = bytes.withUnsafeBytes({ UTF8Check.length($0, from: 0).end }) {} else { block.replaced += 1 }
        guard let property = ContentLine(text) else {
            if !hasBegun { throw Self.noCalendar(line) }
            // A malformed line breaks its own component, and no other.
            if !stack.isEmpty { stack[stack.count - 1].fault = stack[stack.count - 1].fault ?? line }
            return
        }
        let type = property.value.uppercased().filter { $0 != " " }
        if !hasBegun, property.name != "BEGIN" || type != "VCALENDAR" { throw Self.noCalendar(line) }
        hasBegun = true
        switch property.name {
        case "BEGIN":
            guard stack.count < Self.depthLimit else {
                let reason = "its components are nested deeper than \(Self.depthLimit) levels"
                throw DecodingFault(.overLimit, reason, line: line)
            }
            stack.append(CalendarComponent(type, line: line))
        case "END": try end(type, line, block)
        default:
            guard !stack.isEmpty else { return }
            let top = stack.count - 1
            // Properties of the calendar itself are not kept.
            if stack[top].type == "VCALENDAR" { return }
            stack[top].size += bytes.count + 32
            if stack[top].size > limit {
                let reason = "a component is longer than the limit of \(limit) bytes"
                throw DecodingFault(.overLimit, reason, line: stack[top].line)
            }
            stack[top].properties.append(property)
        }
    }

    private static func noCalendar(_ line: Int) -> DecodingFault {
        DecodingFault(.otherFormat, "it does not begin with BEGIN:VCALENDAR", line: line)
    }

    private mutating func end(_ type: String, _ line: Int, _ block: BlockBuilder) throws(DecodingFault) {
        guard let component = stack.popLast(), component.type == type else {
            throw DecodingFault(.malformed, "the END of this line has no BEGIN", line: line)
        }
        if type == "VCALENDAR", stack.isEmpty {
            release()
            return try giveWaiting(block)
        }
        if type == "VTIMEZONE" { return try zones.add(component, &budget) }
        if let around = stack.last, around.type != "VCALENDAR" {
            let top = stack.count - 1
            stack[top].components.append(component)
            stack[top].size += component.size
            return
        }
        let isHeld = component.recurs || component["RECURRENCE-ID"] != nil || !knowsZones(of: component)
        guard isHeld, component.fault == nil else { return give(component, block) }
        held.append(component)
        heldBytes += component.size
        if held.count > Self.heldLimit || heldBytes > 8 * limit {
            let reason =
                "more than \(Self.heldLimit) components recur or have zones that come later, or they have more than "
                + "\(8 * limit) bytes"
            throw DecodingFault(.overLimit, reason, line: component.line)
        }
    }

    /// Whether all zones of a component are known by now: their descriptions may follow it.
    private mutating func knowsZones(of component: CalendarComponent) -> Bool {
        component.properties.allSatisfy { $0.zone.map { zones.knows($0) } ?? true }
    }

    // MARK: - Records

    private mutating func give(_ component: CalendarComponent, _ block: BlockBuilder) {
        if component.fault != nil { return giveBroken(component, "it has a line that is not a property", block) }
        for line in component.properties where ["DTSTART", "DTEND", "DUE", "RECURRENCE-ID"].contains(line.name) {
            if time(line) == nil { return giveBroken(component, "its \(line.name) is not a time", block) }
        }
        noteZones(of: component, block)
        block.begin()
        CalendarRecord(component, zones).write(to: block.json)
    }

    /// Tells of each zone that neither the file nor the system knows, once.
    private mutating func noteZones(of component: CalendarComponent, _ block: BlockBuilder) {
        for line in component.properties {
            guard let name = line.zone, !zones.knows(name), zones.isNews(name) else { continue }
            block.note(.unknownZone(name), line: component.line)
        }
    }

    private func giveBroken(_ component: CalendarComponent, _ reason: String, _ block: BlockBuilder) {
        let text = component.properties.map { "\($0.name):\($0.value)\n" }.joined()
        Array("BEGIN:\(component.type)\n\(text)".utf8).withUnsafeBytes {
            block.append(BrokenRecord(line: component.line, reason: reason, $0))
        }
    }

    /// Queues what was held: the calendar is complete, so it is known which occurrences are replaced.
    private mutating func release() {
        if held.isEmpty { return }
        if waiting.isEmpty { replaced = [:] }
        var released = held
        (held, heldBytes) = ([], 0)
        var starts: [String: CalendarTime] = [:]
        for component in released where component.recurs && component["RECURRENCE-ID"] == nil {
            guard let uid = component["UID"]?.value, starts[uid] == nil else { continue }
            starts[uid] = time(component["DTSTART"])
        }
        for at in released.indices {
            guard let uid = released[at]["UID"]?.value, var time = time(released[at]["RECURRENCE-ID"]) else { continue }
            if let start = starts[uid] { time = time.matched(to: start, zones) }
            released[at].recurrence = time
            replaced[uid, default: []].insert(time.text(in: zones))
        }
        waiting = released.reversed() + waiting
    }

    /// The time of a property, if it is one; its zone can be asked for from now on.
    private mutating func time(_ line: ContentLine?) -> CalendarTime? {
        guard let line else { return nil }
        let names = line.name == "RECURRENCE-ID"
        let time = names ? CalendarTime(line.value[...], of: line) : CalendarTime(line.value, zone: line.zone)
        guard let time else { return nil }
        zones.prepare(time)
        return time
    }

    private mutating func giveWaiting(_ block: BlockBuilder) throws(DecodingFault) {
        while !block.isFull {
            if var current = series {
                series = nil
                let before = block.json.count
                guard current.next(into: block) else {
                    if let cut = current.cut { giveBroken(current.component, cut.reason, block) }
                    continue
                }
                expanded += block.json.count - before
                series = current
                if expanded > Self.expansionLimit {
                    let reason = "its recurring events take more than \(Self.expansionLimit) bytes"
                    throw DecodingFault(.growsTooMuch, reason, line: current.component.line)
                }
                continue
            }
            guard let component = waiting.popLast() else { return }
            guard component.recurs, component["RECURRENCE-ID"] == nil else {
                give(component, block)
                continue
            }
            let left = replaced[component["UID"]?.value ?? ""] ?? []
            do throws(CalendarSeries.Broken) {
                series = try CalendarSeries(component, without: left, &zones, window, &budget)
                noteZones(of: component, block)
            } catch { giveBroken(component, error.reason, block) }
        }
    }
}

extension RecurrenceRule.Cut {
    fileprivate var reason: String {
        switch self {
        case .tooMany: "it recurs more often than the limit of \(CalendarSeries.limit) times; the others are left out"
        case .tooLarge:
            "its occurrences take more than the limit of \(CalendarSeries.sizeLimit) bytes; the later ones are left out"
        case .tooFar:
            "its RRULE was followed as far as the limits allow and the end of the window was not reached; later times are left out"
        }
    }
}
