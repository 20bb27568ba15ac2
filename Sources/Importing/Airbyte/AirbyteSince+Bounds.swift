// Where a cursor begins and ends.
extension AirbyteSince {
    /// A time in the manifest as a template.
    ///
    /// - Parameters:
    ///   - format: Its format, unless it names one itself.
    ///   - isOptional: Whether it may be missing.
    func moment(_ component: Component, _ format: String, isOptional: Bool = false) throws(Unsayable) -> String {
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
    static func program(of template: String) -> String {
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
    func end(_ cursor: Component, _ format: String) throws(Unsayable) -> String? {
        guard let end = try cursor.member("end_datetime") else { return nil }
        // Today's midnight would hold back today's records until tomorrow, if services compare more than days.
        let text = try moment(end, format, isOptional: true).replacing("now | time(\"date\")", with: "now")
        return text.isEmpty || Self.isNow(Self.program(of: text)) ? nil : text
    }

    /// Drops records after an end that no request sends; `nil` if that is the present or later, as records of the future are
    /// kept.
    static func dropping(_ field: String, _ type: String, behind end: String) throws(Unsayable) -> String? {
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
    func overlap(_ cursor: Component) throws(Unsayable) -> PlugYAML? {
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
    func configured(_ text: String) throws(Unsayable) -> PlugYAML? {
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
}
