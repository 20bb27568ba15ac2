extension JinjaTranslator {
    /// An expression as a whole condition: a program that returns `true` or `false`.
    func verdict(_ expression: JinjaExpression) throws(Unsayable) -> String {
        var translator = self
        translator.strictness = .unneeded
        var text = try translator.condition(expression)
        // Airbyte reads the output as a constant: a text such as "False" counts as false, too.
        if !expression.isBoolean, let value = try? translator.value(expression), [.unknown, .text].contains(value.kind)
        {
            text = "(\(value.atom) | IN(\(JQText.empties), \(JQText.falseTexts)) | not)"
        }
        // Looking into a text or a number, which has no members, is usually false in Airbyte, too. Calculating with what is no
        // number, or formatting what is no time, is true there, because the text of the condition is not empty. Over an answer that
        // would end the pages early: there the run fails.
        if scope.place == .record, expression.calculates {
            let isTrue = ". == true or (type == \"string\" and (startswith(\"Cannot i\") | not))"
            return "(try \(text) catch (\(isTrue)))"
        }
        return text.contains("error(") ? "(try \(text) catch (. == true))" : text
    }

    /// The translator for places where a missing value makes a difference.
    private var strictly: JinjaTranslator {
        var translator = self
        if strictness == .unneeded { translator.strictness = .needed }
        return translator
    }

    /// A condition on some values: it is false as a whole if one of them is inside something that is missing.
    private func guarded(_ text: String, _ expressions: JinjaExpression...) throws(Unsayable) -> String {
        guard strictness != .none else { return text }
        var owners: [String] = []
        for expression in expressions {
            var (members, used): ([JinjaExpression], [JinjaExpression]) = ([], [])
            expression.visit { inner in
                if strictness == .needed, looksAtJSON(inner), case .member(.member(_, _), _) = inner {
                    members.append(inner)
                }
                used += inner.usedValues
            }
            for case .member(.member(let owner, let key), _) in members { owners.append(try owns(owner, key)) }
            for value in used { if let owner = try presenceNeeded(of: value) { owners.append(owner) } }
        }
        return Self.demanding(owners, text)
    }

    /// The condition that a value exists without which Airbyte's evaluation fails; `nil` for one that always exists.
    private func presenceNeeded(of value: JinjaExpression) throws(Unsayable) -> String? {
        if case .member(let owner, let key) = value, looksAtJSON(owner) { return try owns(owner, key) }
        guard let path = value.path, path.count > 1, scope.locals[path[0]] == nil else { return nil }
        if path[0] == "config", let key = scope.config.key(at: Array(path.dropFirst())) {
            return key.isRequired || key.preset != nil ? nil : "config.\(key.name) != null"
        }
        return path[0] == "headers" && path[1].lowercased() != "link" ? "\(try self.value(value).atom) != null" : nil
    }

    private static func demanding(_ owners: [String], _ text: String) -> String {
        var distinct: [String] = []
        for owner in owners where !distinct.contains(owner) { distinct.append(owner) }
        return distinct.isEmpty
            ? text : "(if \(distinct.joined(separator: " and ")) then \(text) else error(false) end)"
    }

    /// An expression as a condition: a program that returns `true` or `false`.
    func condition(_ expression: JinjaExpression) throws(Unsayable) -> String {
        switch expression {
        case .bool(let bool): return bool ? "true" : "false"
        case .not(let inner): return "(\(try strictly.condition(inner)) | not)"
        case .binary(let sign, let left, let right):
            switch sign {
            case "and": return "(\(try condition(left)) and \(try condition(right)))"
            case "or": return "(\(try strictly.condition(left)) or \(try strictly.condition(right)))"
            case "in": return try guarded(try membership(left, right), left, right)
            case "==": return try guarded(try equality(sign, left, right), left, right)
            case "!=": return try strictly.guarded(try equality(sign, left, right), left, right)
            case "<", ">", "<=", ">=": return try comparison(sign, left, right)
            default: return try guarded(try truth(expression), expression)
            }
        case .test(let base, let name, let arguments):
            return try strictly.guarded(try test(base, name, arguments), base)
        case .conditional(let condition, let then, let otherwise):
            let no = try otherwise.map { other throws(Unsayable) in try self.condition(other) } ?? "false"
            return "(if \(try strictly.condition(condition)) then \(try self.condition(then)) else \(no) end)"
        default: return try guarded(try truth(expression), expression)
        }
    }

    /// Whether a value counts as true.
    private func truth(_ expression: JinjaExpression) throws(Unsayable) -> String {
        if case .name(let name) = expression, ["stream_interval", "stream_slice"].contains(name) {
            return scope.boundFormat != nil || !scope.partitions.values.isEmpty ? "true" : "false"
        }
        let value = try value(expression)
        switch value.kind {
        case .bool: return value.text.hasPrefix("config.") ? "(\(value.text) // false)" : value.atom
        case .null: return "false"
        case .time: return "true"
        default: return "(\(value.atom) | IN(\(JQText.empties)) | not)"
        }
    }

    /// Airbyte cannot compare values of different types.
    private func comparison(_ sign: String, _ left: JinjaExpression, _ right: JinjaExpression) throws(Unsayable)
        -> String
    {
        var (first, second) = (try value(left), try value(right))
        if first.kind == .time, second.kind == .time {
            (first, second) = (try formatted(first, Self.instant), try formatted(second, Self.instant))
        }
        let isSure = first.kind == second.kind && first.kind != .unknown
        if strictness == .none || isSure {
            return try guarded("(\(first.atom) \(sign) \(second.atom))", left, right)
        }
        let text: String
        if second.isConstant {
            text =
                "(\(first.atom) | if type == \"\(second.jqType)\" then . \(sign) \(second.atom) else error(true) end)"
        } else {
            text =
                "(\(first.atom) as $l | \(second.atom) as $r | if ($l | type) == ($r | type) and $l != null then $l \(sign) $r else error(true) end)"
        }
        var owners: [String] = []
        for expression in [left, right] {
            if let owner = try presenceNeeded(of: expression) { owners.append(owner) }
        }
        return try guarded(Self.demanding(owners, text), left, right)
    }

    /// Times are compared as texts in one format.
    private static let instant = "%Y-%m-%dT%H:%M:%S.%fZ"

    private func equality(_ sign: String, _ left: JinjaExpression, _ right: JinjaExpression) throws(Unsayable)
        -> String
    {
        if right == .none { return try test(left, sign == "==" ? "none" : "notnone", []) }
        let (first, second) = (try value(left), try value(right))
        // In Python 1 equals true, and 0 equals false.
        let (one, other) = second.isTruthNumber ? (second, first) : (first, second)
        if one.isTruthNumber, other.kind == .unknown || other.kind == .bool && one.kind == .number {
            let values = ["1", "true"].contains(one.text) ? "true, 1" : "false, 0"
            return "(\(other.atom) | IN(\(values))\(sign == "!=" ? " | not" : ""))"
        }
        // In Airbyte a value that is not configured does not equal null.
        let unset = strictness == .none ? nil : [left, right].lazy.filter { $0.path?.first == "config" }.first
        if let unset, let isSet = try presenceNeeded(of: unset) {
            let compared = "\(first.atom) \(sign) \(second.atom)"
            return sign == "==" ? "(\(isSet) and \(compared))" : "((\(isSet) | not) or \(compared))"
        }
        return "(\(first.atom) \(sign) \(second.atom))"
    }

    private func membership(_ left: JinjaExpression, _ right: JinjaExpression) throws(Unsayable) -> String {
        let needle = try value(left)
        if case .list(let elements) = right {
            var texts: [String] = []
            for element in elements { texts.append(try value(element).text) }
            return texts.isEmpty ? "false" : "(\(needle.atom) | IN(\(texts.joined(separator: ", "))))"
        }
        // Whether the configuration contains a name is known from whether its value exists.
        if right.path == ["config"], case .text(let key) = left {
            return "(\(try scope.config.value(at: [key], secretly: true).text) != null)"
        }
        if let path = right.path, path.count == 1, ["stream_slice", "stream_partition", "headers"].contains(path[0]),
            case .text(let key) = left
        {
            return "(\(try value(.member(right, key)).atom) != null)"
        }
        let container = try value(right)
        if container.kind == .text {
            // A header may be missing.
            let text = container.text.hasPrefix("headers[") ? "(\(container.atom) // \"\")" : container.atom
            return "(\(needle.asText) as $n | \(text) | contains($n))"
        }
        if container.kind == .list { return "(\(needle.atom) as $n | \(container.atom) | index([$n]) != null)" }
        // Airbyte fails when searching in a value without elements; a missing value has none.
        let other = strictness == .none ? "false" : "error(true)"
        let text =
            "(\(needle.atom) as $n | \(container.atom) | if type == \"object\" then has($n | tostring) "
            + "elif type == \"array\" then index([$n]) != null elif type == \"string\" then contains($n) else \(other) end)"
        guard strictness != .none, case .member(let owner, let key) = right, looksAtJSON(owner) else { return text }
        return "(if \(try owns(owner, key)) then \(text) else false end)"
    }

    private func test(_ base: JinjaExpression, _ name: String, _ arguments: [JinjaArgument]) throws(Unsayable) -> String
    {
        switch name {
        case "defined":
            if case .name(let name) = base,
                ["stream_interval", "stream_slice", "stream_partition", "config", "record", "response"].contains(name)
            {
                return "true"
            }
            return try presence(base)
        case "undefined": return "(\(try presence(base)) | not)"
        case "none":
            // A missing member is undefined, and not none; what .get() does not find is none.
            let value = try value(base).atom
            if case .member(let owner, let key) = base, looksAtJSON(base) {
                return "(\(try owns(owner, key)) and \(value) == null)"
            }
            return "(\(value) == null)"
        case "notnone": return "(\(try test(base, "none", [])) | not)"
        case "true": return "(\(try value(base).atom) == true)"
        case "false": return "(\(try value(base).atom) == false)"
        case "string": return "(\(try value(base).atom) | type == \"string\")"
        case "number": return "(\(try value(base).atom) | type | IN(\"number\", \"boolean\"))"
        case "integer", "float":
            let form = "(tostring | test(\"[.eE]\"))\(name == "integer" ? " == false" : "")"
            return "(\(try value(base).atom) | type == \"number\" and \(form))"
        case "boolean": return "(\(try value(base).atom) | type == \"boolean\")"
        case "mapping": return "(\(try value(base).atom) | type == \"object\")"
        case "iterable", "sequence":
            return "(\(try value(base).atom) | type | IN(\"array\", \"object\", \"string\"))"
        case "sameas":
            guard let other = arguments.first else { break }
            return "(\(try value(base).atom) == \(try value(other.value).atom))"
        case "equalto", "eq":
            guard let other = arguments.first else { break }
            return try equality("==", base, other.value)
        case "ne":
            guard let other = arguments.first else { break }
            return try equality("!=", base, other.value)
        case "in":
            guard let other = arguments.first else { break }
            return try membership(base, other.value)
        default: break
        }
        throw Unsayable("the test 'is \(name)' has no counterpart")
    }

    /// Whether something exists, even if null.
    private func presence(_ base: JinjaExpression) throws(Unsayable) -> String {
        switch base {
        case .member(let owner, let key) where looksAtJSON(base): return try owns(owner, key)
        // The result of .get() always exists.
        case .call(.member(_, "get"), _): return "true"
        default: return "(\(try value(base).atom) != null)"
        }
    }

    func owns(_ owner: JinjaExpression, _ key: String) throws(Unsayable) -> String {
        "(\(try value(owner).atom) | type == \"object\" and has(\(JQText.string(key))))"
    }

    /// Whether it leads into a record or an answer, where members may be missing.
    func looksAtJSON(_ expression: JinjaExpression) -> Bool {
        switch expression {
        case .name(let name): ["record", "response", "last_record"].contains(name)
        case .member(let base, _), .index(let base, _): looksAtJSON(base)
        case .call(.member(let base, "get"), _): looksAtJSON(base)
        default: false
        }
    }
}

extension JinjaExpression {
    /// Filters that fail with nothing.
    fileprivate static let harmless: Set = [
        "count", "d", "default", "float", "int", "length", "list", "lower", "safe", "string", "tojson", "upper",
    ]

    /// Whether it calculates, filters or calls something, which fails in Python with what does not suit.
    fileprivate var calculates: Bool {
        var found = false
        visit { inner in
            switch inner {
            case .filter(_, let name, _): found = found || !JinjaExpression.harmless.contains(name)
            case .call where inner.path == nil: found = true
            case .binary(let sign, _, _) where ["+", "-", "*", "/", "//", "%"].contains(sign): found = true
            default: break
            }
        }
        return found
    }
}
