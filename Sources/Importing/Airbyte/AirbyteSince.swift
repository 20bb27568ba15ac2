/// A cursor as `since`.
struct AirbyteSince {
    let scope: JinjaScope
    /// The value of `since`.
    private(set) var since: PlugYAML?
    /// The program of `version`, if the cursor changes whenever the record does.
    private(set) var version: String?
    /// The program of `drop_if` for records after an end which only the engine checks.
    private(set) var dropIf: String?
    /// Settings with a fixed value.
    private(set) var findings: [ImportFinding] = []

    init(scope: JinjaScope) { self.scope = scope }

    /// How the bounds are written, for templates that contain them; `nil` without a cursor.
    static func boundFormat(of cursor: Component?) throws(Unsayable) -> String? {
        guard let cursor, cursor.type == "DatetimeBasedCursor" else { return nil }
        return (try cursor.member("datetime_format"))?.text
    }

    mutating func read(_ cursor: Component?, _ request: inout RequestDraft, path: inout String, records: AirbyteRecords)
        throws(Unsayable)
    {
        guard let cursor else { return }
        do throws(Unsayable) { try read(cursor, &request, &path, records) } catch {
            throw Unsayable(error.reason, line: error.line ?? cursor.line)
        }
    }

    private mutating func read(
        _ cursor: Component,
        _ request: inout RequestDraft,
        _ path: inout String,
        _ records: AirbyteRecords
    ) throws(Unsayable) {
        guard cursor.type == "DatetimeBasedCursor" else {
            throw Unsayable("the cursor '\(cursor.type ?? "")' has no counterpart")
        }
        guard let name = try cursor.member("cursor_field")?.text,
            let field = try JinjaTemplate(name, scope).constant
        else { throw Unsayable("a 'cursor_field' that is not a constant has no counterpart") }
        guard let format = try cursor.member("datetime_format")?.text else {
            throw Unsayable("'datetime_format' is missing")
        }
        let sent = try PythonTime.format(format)
        let written = try cursor.list("cursor_datetime_formats").compactMap(\.text)
        guard let start = try cursor.member("start_datetime") else { throw Unsayable("'start_datetime' is missing") }
        let from = try moment(start, format)
        let source = records.source(of: field)
        // A bound of the request itself says nothing about the record, and does not advance the watermark.
        let isBound = ["since", "until"].contains { source.names($0) }
        let (program, type) =
            try isBound
            ? (Self.program(of: from), "time") : Self.field(source, written.isEmpty ? [format] : written)
        var members: [(String, PlugYAML?)] = [
            ("field", .program(program)), ("type", .text(type)), ("from", .text(from)),
        ]
        let send = try place(cursor, "start_time_option")
        let until = try place(cursor, "end_time_option")
        if let send { members.append(("send", Self.bound(send, sent))) }
        if let until { members.append(("until", Self.bound(until, sent))) }
        let end = try end(cursor, format)
        let sendsEnd = until != nil || request.looks(at: "until") || path.looks(at: "until")
        let sendsStart = send != nil || request.looks(at: "since") || path.looks(at: "since")
        let filters = (try cursor.member("is_client_side_incremental"))?.isTrue == true
        if let end {
            // No pass goes beyond it, nor does the start of the next one. In Airbyte, an end that no request sends has no effect,
            // unless each request names a period.
            let hasStep = try cursor.member("step") != nil
            let hasPeriods = sendsStart && hasStep
            if sendsEnd || hasPeriods { members.insert(("to", .text(end)), at: 3) }
            if filters, !sendsEnd, !hasPeriods { dropIf = try Self.dropping(program, type, behind: end) }
        }
        if try cursor.member("clamping") != nil { throw Unsayable("'clamping' of windows has no counterpart") }
        members.append(("overlap", try overlap(cursor)))
        // If no request says when a window begins, they are all the same.
        if sendsStart || sendsEnd { try window(cursor, sent, &members) }
        if (try cursor.member("is_data_feed"))?.isTrue == true {
            members += [("order", .text("desc")), ("stop", .text("known"))]
        }
        if filters { members.append(("filter", .plain("true"))) }
        // A cursor that no request uses has no effect: each run reads everything, in Airbyte and here.
        let acts = members.contains { ["send", "until", "window", "stop", "filter"].contains($0.0) }
        let names = [path, records.map ?? "", records.dropIf ?? "", records.records]
        let isNamed = ["since", "until"].contains { root in request.sends(root) || names.contains { $0.contains(root) }
        }
        if acts || isNamed {
            let entries = members.compactMap { key, value in value.map { PlugYAML.Entry(key: key, value: $0) } }
            since = .mapping(entries)
        }
        version = Self.changes(field, written + [format]) && !isBound ? source : nil
    }

    private static func bound(_ place: OptionPlace, _ format: String) -> PlugYAML {
        .members((place.place, .members((place.name, .text(format)))))
    }

    private func place(_ cursor: Component, _ key: String) throws(Unsayable) -> OptionPlace? {
        guard let option = try cursor.member(key) else { return nil }
        return try OptionPlace(option, scope)
    }

    /// Whether a cursor is the time of the last change, to the second: a time of creation, or a day, says nothing about changes.
    private static func changes(_ field: String, _ formats: [String]) -> Bool {
        let name = field.lowercased()
        let isChange = ["updat", "modif", "chang", "edited", "last_activity"].contains { name.contains($0) }
        let isExact = !formats.contains { $0 == "%Y-%m-%d" || $0 == "%Y%m%d" || $0 == "%Y-%m" }
        return isChange && isExact
    }

    // MARK: - The field

    private static func field(_ program: String, _ formats: [String]) throws(Unsayable) -> (String, String) {
        let odd = formats.filter { !isKnown($0) }
        if odd.isEmpty, formats.count == 1 || !formats.contains(where: { ["%s", "%ms"].contains($0) }) {
            switch formats[0] {
            case "%s": return (program, "epoch")
            case "%ms": return (program, "epoch_ms")
            default: return (program, formats.contains { $0 != "%Y-%m-%d" } ? "time" : "date")
            }
        }
        let value = "\(program) | strings, numbers | tostring"
        if formats.count == 1 { return ("\(value) | \(try parsed(formats[0]))", "epoch") }
        // The first format that can read a value wins; formats that are recognised automatically come last.
        var ways: [String] = []
        for format in formats {
            switch format {
            case "%s": ways.append("(tonumber | todate)?")
            case "%ms": ways.append("(tonumber / 1000 | todate)?")
            default: if !isKnown(format) { ways.append("(\(try parsed(format)) | todate)?") }
            }
        }
        return ("\(value) | \((ways + ["."]).joined(separator: " // "))", "time")
    }

    /// The program that reads a text in a format that is not recognised as a time automatically.
    static func parsed(_ format: String) throws(Unsayable) -> String {
        for odd in ["%f", "%_ms", "%ms", "%s", "%epoch", "%z", "%Z"] where format.contains(odd) {
            throw Unsayable("a time that is read in the format '\(format)' has no counterpart")
        }
        return "strptime(\(JQText.string(format))) | mktime"
    }

    /// Whether times in a format are recognised automatically.
    static func isKnown(_ format: String) -> Bool {
        if ["%s", "%ms", "%Y-%m-%d"].contains(format) { return true }
        let isISO = format.hasPrefix("%Y-%m-%dT") || format.hasPrefix("%Y-%m-%d ") || format.hasPrefix("%Y-%m-%d'T'")
        return isISO || format.hasPrefix("%a, %d %b %Y")
    }

    // MARK: - Bounds

    /// A time in the manifest as a template.
    ///
    /// - Parameters:
    ///   - format: Its format, unless it names one itself.
    ///   - isOptional: Whether it may be missing.
    private func moment(_ component: Component, _ format: String, isOptional: Bool = false) throws(Unsayable) -> String
    {
        guard component.text == nil else { return try bareMoment(component, format, isOptional) }
        guard let inner = try component.member("datetime") else { throw Unsayable("'datetime' is missing") }
        let own = try component.member("datetime_format")?.text.flatMap { $0.isEmpty ? nil : $0 } ?? format
        var moment = try bareMoment(inner, own, isOptional)
        for (key, function) in [("min_datetime", "max"), ("max_datetime", "min")] {
            guard let other = try component.member(key) else { continue }
            let bound = try bareMoment(other, own, false)
            let both = [moment, bound].map { "(\(Self.program(of: $0)) | time(\"time\"))" }
            moment = "{{ [\(both.joined(separator: ", "))] | \(function) }}"
        }
        return moment
    }

    /// A template that is one expression, or a constant, as a program.
    private static func program(of template: String) -> String {
        template.hasPrefix("{{ ") && template.hasSuffix(" }}")
            ? String(template.dropFirst(3).dropLast(3)) : JQText.string(template)
    }

    /// A time from an expression or a constant, in a form that is recognised.
    private func bareMoment(_ component: Component, _ format: String, _ isOptional: Bool) throws(Unsayable) -> String {
        let template = try JinjaTemplate(component.text ?? "", scope)
        let isKnown = Self.isKnown(format) || format.contains("%s")
        // Merely reformatting a time does not change it.
        if case .call(.name("format_datetime"), let arguments)? = template.only, arguments.count < 3,
            let first = arguments.first?.value
        {
            let value = try JinjaTranslator(scope).value(first)
            return "{{ \(value.text)\(Self.mayBeMissing(value.text, isOptional) ? " // null" : "") }}"
        }
        if format == "%ms", !(try template.program().kind == .time) {
            return try Self.ofMilliseconds(template, isOptional)
        }
        if let constant = template.constant, !constant.contains("{{") {
            let text = constant.trimmed
            if isKnown || text.isEmpty { return text }
            return "{{ \(JQText.string(text)) | \(try Self.parsed(format)) | todate }}"
        }
        let text = try template.template(.typed)
        let program = Self.program(of: text)
        if isOptional, Self.isNow(program) { return text }
        let isMissing = Self.mayBeMissing(program, isOptional)
        let isTime = try template.program().kind == .time
        if isKnown || isTime { return isMissing ? "{{ \(program) // null }}" : text }
        guard text.hasPrefix("{{ ") else {
            throw Unsayable("a time beside other text in the format '\(format)' has no counterpart")
        }
        let read = "tostring | \(try Self.parsed(format)) | todate"
        guard isOptional else { return "{{ \(program.contains(" ") ? "(\(program))" : program) | \(read) }}" }
        let value = isMissing ? "\(program) // null" : "(\(program))"
        return "{{ \(value) | if . == null or . == \"\" then null else \(read) end }}"
    }

    /// A time given in milliseconds: a bare number would be one of seconds.
    private static func ofMilliseconds(_ template: JinjaTemplate, _ isOptional: Bool) throws(Unsayable) -> String {
        let time = "tonumber / 1000 | time(\"time\")"
        if let constant = template.constant {
            let text = constant.trimmed
            return text.isEmpty ? text : "{{ \(JQText.string(text)) | \(time) }}"
        }
        let value = try template.program()
        guard mayBeMissing(value.text, isOptional) else { return "{{ \(value.atom) | \(time) }}" }
        return "{{ \(value.text) // null | if . == null or . == \"\" then null else \(time) end }}"
    }

    /// Whether a setting may be missing.
    private static func mayBeMissing(_ program: String, _ isOptional: Bool) -> Bool {
        isOptional && program.hasPrefix("config.") && !program.contains(" ")
    }

    /// The template of an end other than the default; `nil` for now.
    private func end(_ cursor: Component, _ format: String) throws(Unsayable) -> String? {
        guard let end = try cursor.member("end_datetime") else { return nil }
        // Today's midnight would hold back today's records until tomorrow, if services compare more than days.
        let text = try moment(end, format, isOptional: true).replacing("now | time(\"date\")", with: "now")
        return text.isEmpty || Self.isNow(Self.program(of: text)) ? nil : text
    }

    /// Drops records after an end that no request sends; `nil` if that is the present or later, as records of the future are
    /// kept.
    private static func dropping(_ field: String, _ type: String, behind end: String) throws(Unsayable) -> String? {
        let parts = program(of: end).split(separator: " // ", maxSplits: 1).map(String.init)
        let later = parts.last.map { part in
            let bare = part.drop { $0 == "(" }
            return isNow(part) || bare.hasPrefix("now | plus(")
        }
        if parts.count == 1, later == true { return nil }
        let fixed = later == true ? parts[0] : parts.joined(separator: " // ")
        guard !fixed.names("now"), type == "time" || type == "date" else {
            throw Unsayable("an end that only the engine compares has no counterpart, if it depends on the present")
        }
        let exact = #"time("%Y-%m-%dT%H:%M:%S.%f")"#
        let isLater = "$end != null and (\(field) | \(exact)) > ($end | \(exact))"
        return "try ((\(fixed)) as $end | \(isLater)) catch false"
    }

    /// Whether a program returns the present, however written.
    private static func isNow(_ program: String) -> Bool {
        guard program.hasPrefix("now") else { return false }
        let rest = program.dropFirst(3)
        return rest.isEmpty || (rest.hasPrefix(" | time(") && !rest.dropFirst(8).contains("|"))
    }

    /// How far before the watermark a pass begins; `nil` for no overlap.
    private func overlap(_ cursor: Component) throws(Unsayable) -> PlugYAML? {
        guard let lookback = try cursor.member("lookback_window"), let text = lookback.text else { return nil }
        if let constant = try JinjaTemplate(text, scope).constant {
            // Months differ in length, and the longest one reads more.
            let duration = try PythonTime.duration(constant == "P1M" ? "P31D" : constant)
            return duration == "0s" ? nil : .plain(duration)
        }
        guard let length = try configured(text) else {
            throw Unsayable("a configured 'lookback_window' has no counterpart here", line: lookback.line)
        }
        return length
    }

    /// A length of time from settings: a number between constants (`P{{ … }}D`), or the whole of it.
    private func configured(_ text: String) throws(Unsayable) -> PlugYAML? {
        if let (number, unit) = try Self.setting(text, scope) {
            return number.allSatisfy(\.isNumber) ? .plain(number + unit) : .text("{{ \(number) }}\(unit)")
        }
        guard let only = try JinjaTemplate(text, scope).only else { return nil }
        let value = try JinjaTranslator(scope).value(only).text
        return .text("{{ \(value.contains(" ") ? "(\(value))" : value) | \(Self.lengthOfISO) }}")
    }

    /// Converts `P30D` to `30d`, `P1M` to `1mo`, `PT1M` to `1m`.
    private static let lengthOfISO =
        #"if startswith("PT") then .[2:] elif endswith("M") then .[1:] + "o" else .[1:] end | ascii_downcase"#

    /// The program for the number in `P{{ … }}D`, and the unit.
    private static func setting(_ text: String, _ scope: JinjaScope) throws(Unsayable) -> (String, String)? {
        let units = [("P", "D", "d"), ("PT", "H", "h"), ("PT", "M", "m"), ("PT", "S", "s")]
        for (head, tail, unit) in units where text.hasPrefix(head + "{{") && text.hasSuffix("}}" + tail) {
            let inner = String(text.dropFirst(head.count).dropLast(tail.count))
            guard let only = try JinjaTemplate(inner, scope).only else { return nil }
            return (try JinjaTranslator(scope).value(only).text, unit)
        }
        return nil
    }

    // MARK: - Windows

    private mutating func window(
        _ cursor: Component,
        _ sent: String,
        _ members: inout [(String, PlugYAML?)]
    )
        throws(Unsayable)
    {
        guard let step = try cursor.member("step"), let text = step.text else { return }
        if try JinjaTemplate(text, scope).constant == nil {
            guard let length = try configured(text) else {
                throw Unsayable("a configured length of windows has no counterpart", line: step.line)
            }
            members.append(("window", length))
        } else {
            let window = try PythonTime.duration(text, calendar: true)
            members.append(("window", .plain(window)))
            if window.hasSuffix("mo") || window.hasSuffix("y") { members.append(("align", .plain("begin"))) }
        }
        guard let granularity = try cursor.member("cursor_granularity")?.text else { return }
        let granule = try PythonTime.duration(granularity)
        if granule == "0s" { return }
        members.append(("granule", .plain(PythonTime.longer(granule, PythonTime.step(of: sent)))))
    }
}

extension AirbyteRecords {
    /// As `value(of:)`, and nothing if the source has nothing.
    func source(of member: String) -> String { copied[member]?.text ?? value(of: member) }

    /// The program over the source record for a member of the delivered one.
    func value(of member: String) -> String {
        if let added = added[member] { return added.text }
        let name = member == "_id" ? identity ?? member : member
        if renames { return "\(map ?? ".") | \(JQText.path([name]))" }
        return JQText.path(member.split(separator: ".").map(String.init))
    }
}

extension String {
    /// Whether it is a template that uses a bound.
    fileprivate func looks(at bound: String) -> Bool { contains("{{") && names(bound) }

    /// Whether a program uses a bound: not a setting whose name contains the same word.
    func names(_ bound: String) -> Bool {
        ranges(of: bound).contains { range in
            let before = self[..<range.lowerBound].last, after = self[range.upperBound...].first
            let isWhole = [before, after].allSatisfy { $0.map { !$0.isLetter && !$0.isNumber && $0 != "_" } ?? true }
            return isWhole && before != "." && before != "\""
        }
    }
}

extension RequestDraft {
    /// Whether a template in it uses a bound.
    fileprivate func looks(at bound: String) -> Bool { written(path: "").texts.contains { $0.looks(at: bound) } }
}
