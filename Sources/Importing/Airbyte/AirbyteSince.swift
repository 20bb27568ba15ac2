import PlugCore

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
        if renames { return "\(map ?? ".") | \(PathNotation.path([name]))" }
        return PathNotation.path(member.split(separator: ".").map(String.init))
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
