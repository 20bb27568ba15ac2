extension JinjaTranslator {
    /// A time plus or minus a duration; `nil` if there is no duration.
    func time(_ left: JinjaExpression, _ sign: String, _ right: JinjaExpression) throws(Unsayable) -> JQText? {
        guard case .call(.name("duration"), let arguments) = right else { return nil }
        guard case .text(let iso) = arguments.first?.value else {
            throw Unsayable("a duration that is not a constant has no counterpart")
        }
        let base = try value(left)
        if let years = PythonTime.years(iso) {
            let text =
                "\(base.atom) | time(\"%Y-%m-%dT%H:%M:%SZ\") "
                + "| ((.[0:4] | tonumber) \(sign) \(years) | tostring) + .[4:] | sub(\"-02-29T\"; \"-02-28T\")"
            return JQText(text: text, kind: .time, isAtom: false)
        }
        let (days, kind) = (try PythonTime.duration(iso), base.kind == .text ? base.kind : .time)
        let name = sign == "-" ? "minus" : "plus"
        // A day is its midnight: with a duration added, it is no longer a day.
        var moment = base.atom
        if case .call(.name("str_to_datetime"), _) = left, iso.contains("T") {
            moment += " | time(\"%Y-%m-%dT%H:%M:%S.%fZ\")"
        }
        return JQText(text: "\(moment) | \(name)(\"\(days)\")", kind: kind, isAtom: false)
    }

    /// Airbyte's functions for times; `nil` for others.
    func timeCall(_ name: String, _ arguments: [JinjaArgument]) throws(Unsayable) -> JQText? {
        func argument(_ at: Int, _ key: String) -> JinjaExpression? {
            if let named = arguments.first(where: { $0.name == key }) { return named.value }
            return arguments.indices.contains(at) && arguments[at].name == nil ? arguments[at].value : nil
        }
        switch name {
        case "now_utc", "today_utc", "today_with_timezone", "day_delta":
            guard scope.place != .page, scope.place != .answer else {
                throw Unsayable("programs over answers cannot see the clock, which '\(name)' reads")
            }
            let now = scope.place == .template ? "now" : JinjaScope.clock
            if name == "today_with_timezone" { throw Unsayable("the day in a time zone has no counterpart") }
            if name == "now_utc" { return JQText(text: now, kind: .time) }
            if name == "today_utc" { return JQText(text: "\(now) | time(\"date\")", kind: .text, isAtom: false) }
            guard let days = argument(0, "num_days"), let moved = try dayDelta(days, now) else {
                throw Unsayable("'day_delta' by a number of days that is not a constant has no counterpart")
            }
            let format = if case .text(let format) = argument(1, "format") { format } else { "%Y-%m-%dT%H:%M:%S.%f%z" }
            return try formatted(JQText(text: moved, kind: .time, isAtom: false), format)
        case "str_to_datetime":
            guard let text = argument(0, "s") else { return nil }
            return JQText(text: try value(text).text, kind: .time, isAtom: try value(text).isAtom)
        case "format_datetime":
            guard let moment = argument(0, "dt"), case .text(let format) = argument(1, "format") else {
                throw Unsayable("'format_datetime' without a constant format has no counterpart")
            }
            let value = try value(moment)
            if value.kind == .null { return value }
            var read = value
            if let written = argument(2, "input_format") { read = try self.read(moment, as: written) }
            let text = try formatted(read, format)
            // An unset setting has no time, which is no value in Airbyte either.
            guard isOpen(moment) else { return text }
            return JQText(
                text: "if \(value.text) == null then null else \(text.text) end",
                kind: text.kind,
                isAtom: false
            )
        case "timestamp":
            guard let moment = argument(0, "dt") else { return nil }
            return JQText(text: "\(try value(moment).atom) | time(\"epoch\")", kind: .number, isAtom: false)
        case "max", "min":
            var texts: [String] = []
            var kinds: [JQText.Kind] = []
            for argument in arguments {
                let value = try value(argument.value)
                texts.append(value.text)
                kinds.append(value.kind)
            }
            let kind = kinds.first.map { first in kinds.allSatisfy { $0 == first } ? first : .unknown } ?? .unknown
            if texts.count == 1 { return JQText(text: "\(texts[0]) | \(name)", isAtom: false) }
            return JQText(
                text: "[\(texts.map { "(\($0))" }.joined(separator: ", "))] | \(name)",
                kind: kind,
                isAtom: false
            )
        default: return nil
        }
    }

    /// A text, or a number, parsed as a time in a format.
    private func read(_ moment: JinjaExpression, as format: JinjaExpression) throws(Unsayable) -> JQText {
        let text = try value(moment)
        switch format {
        case .none, .text(""), .text("%s"): return text
        case .text("%ms"): return JQText(text: "(\(text.atom) | tonumber / 1000)", kind: .time)
        case .text(let format) where AirbyteSince.isKnown(format): return text
        case .text(let format):
            return JQText(text: "(\(text.atom) | tostring | \(try AirbyteSince.parsed(format)))", kind: .time)
        default: throw Unsayable("'format_datetime' without a constant format has no counterpart")
        }
    }

    /// A time in a format.
    func formatted(_ moment: JQText, _ format: String) throws(Unsayable) -> JQText {
        let ours = try PythonTime.format(format)
        return JQText(
            text: "\(moment.atom) | time(\(JQText.string(ours)))",
            kind: ours.hasPrefix("epoch") ? .number : .text,
            isAtom: false
        )
    }

    private func dayDelta(_ days: JinjaExpression, _ now: String) throws(Unsayable) -> String? {
        switch days {
        case .number(let number): return "\(now) | plus(\"\(number)d\")"
        case .negative(.number(let number)): return "\(now) | minus(\"\(number)d\")"
        case .binary("*", let left, let right):
            guard let product = Self.product(left, right) else { return nil }
            return product < 0 ? "\(now) | minus(\"\(-product)d\")" : "\(now) | plus(\"\(product)d\")"
        case .negative(let inner):
            let value = try value(inner)
            return "(\(value.atom) | tostring) as $d | \(now) | minus(\"\\($d)d\")"
        default:
            let value = try value(days)
            return
                "(\(value.atom) | tonumber) as $d | \(now) | if $d < 0 then minus(\"\\(-$d)d\") else plus(\"\\($d)d\") end"
        }
    }

    private static func product(_ left: JinjaExpression, _ right: JinjaExpression) -> Int? {
        func number(_ expression: JinjaExpression) -> Int? {
            switch expression {
            case .number(let text): Int(text)
            case .negative(.number(let text)): Int(text).map { -$0 }
            default: nil
            }
        }
        guard let left = number(left), let right = number(right) else { return nil }
        return left * right
    }
}
