import PlugCore

extension JinjaTranslator {
    /// Reads a number as Python does: `True` is 1, and blanks around it do not matter.
    private static func numeral(_ kind: JQText.Kind) -> String {
        switch kind {
        case .number: "tonumber?"
        case .text: "(trim | tonumber?)"
        default:
            "(if type == \"boolean\" then (if . then 1 else 0 end) elif type == \"string\" then trim else . end | tonumber?)"
        }
    }

    func filter(_ base: JinjaExpression, _ name: String, _ arguments: [JinjaArgument]) throws(Unsayable) -> JQText {
        func text(_ at: Int) throws(Unsayable) -> String {
            guard arguments.indices.contains(at) else { throw Unsayable("the filter '\(name)' lacks an argument") }
            return try value(arguments[at].value).text
        }
        func piped(_ program: String, _ kind: JQText.Kind = .unknown) throws(Unsayable) -> JQText {
            JQText(text: "\(try value(base).atom) | \(program)", kind: kind, isAtom: false)
        }
        /// A filter over texts or lists treats an unset setting as an empty one.
        func given(_ empty: String, _ program: String, _ kind: JQText.Kind = .unknown) throws(Unsayable) -> JQText {
            let value = try value(base)
            let input = isOpen(base) ? "(\(value.text) // \(empty))" : value.kind == .null ? empty : value.atom
            return JQText(text: "\(input) | \(program)", kind: kind, isAtom: false)
        }
        try Self.check(arguments, of: name)
        switch name {
        case "default", "d": return try preset(base, arguments)
        case "length", "count":
            // In a condition, Airbyte has no length for null or a number, and 0 for a missing value.
            guard strictness != .none, case .member(let owner, let key) = base, looksAtJSON(owner) else {
                return try piped("length", .number)
            }
            let length =
                "\(try value(base).atom) | if type | IN(\"null\", \"number\", \"boolean\") then error(true) else length end"
            return JQText(text: "(if \(try owns(owner, key)) then \(length) else 0 end)", kind: .number)
        case "string":
            // Airbyte converts anything but texts to JSON.
            let value = try value(base)
            if value.kind == .text || value.kind == .time { return JQText(text: value.asText, kind: .text) }
            return JQText(
                text: "\(value.atom) | if type == \"string\" then . else tojson end",
                kind: .text,
                isAtom: false
            )
        case "int": return try piped("(\(try Self.numeral(value(base).kind)) // 0) | trunc", .number)
        case "float": return try piped("\(try Self.numeral(value(base).kind)) // 0", .number)
        case "lower": return try changed(base, "ascii_downcase")
        case "upper": return try changed(base, "ascii_upcase")
        case "trim": return try changed(base, "trim")
        case "safe", "list": return try value(base)
        case "first": return try given("[]", "first")
        case "last": return try given("[]", "last")
        case "abs": return try piped("fabs", .number)
        case "round":
            // Python rounds halves to even.
            return try piped("floor as $f | if . - $f == 0.5 then $f + ($f % 2 | fabs) else round end", .number)
        case "sort":
            // Case is ignored.
            return try given("[]", "sort_by(\(Self.lowered))", .list)
        case "unique":
            let isNew = "([.[] | \(Self.lowered)] | index([$e | \(Self.lowered)])) == null"
            return try given("[]", "reduce .[] as $e ([]; if \(isNew) then . + [$e] else . end)", .list)
        case "sum": return try piped("add // 0", .number)
        case "max", "min": return try given("[]", name)
        case "items": return try given("{}", "to_entries | map([.key, .value])", .list)
        case "tojson": return try json(base)
        case "urlencode":
            // Airbyte does not send a missing value, and '@uri' would make a text of it.
            return JQText(
                text: "(\(try value(base).atom) | values | @uri | gsub(\"%2F\"; \"/\")) // null",
                kind: .text,
                isAtom: false
            )
        case "base64encode": return JQText(text: "\(try value(base).asText) | base64", kind: .text, isAtom: false)
        case "base64decode": return try piped("base64d", .text)
        case "hash": return try hash(base, arguments)
        case "hmac":
            let kind = arguments.count > 1 ? try text(1) : "\"sha256\""
            let key = try text(0)
            return JQText(
                text: "\(key) as $k | \(try value(base).asText) | hmac(\(kind); $k)",
                kind: .text,
                isAtom: false
            )
        case "replace":
            guard arguments.count >= 2 else { break }
            return try given("\"\"", "split(\(try text(0))) | join(\(try text(1)))", .text)
        case "join":
            let separator = arguments.isEmpty ? "\"\"" : try text(0)
            return try given("[]", "map(tostring) | join(\(separator))", .text)
        case "split":
            return try given("\"\"", "split(\(try text(0)))", .list)
        case "map": return try mapped(base, arguments)
        case "selectattr", "rejectattr": return try selected(base, arguments, rejects: name == "rejectattr")
        case "regex_search": return try search(base, arguments)
        case "regex_replace":
            guard arguments.count >= 2 else { break }
            if case .text(let replacement) = arguments[1].value, replacement.contains("\\") {
                throw Unsayable("'regex_replace' with groups in its replacement has no counterpart")
            }
            return try given("\"\"", "gsub(\(try text(0)); \(try text(1)))", .text)
        default: break
        }
        throw Unsayable("the filter '\(name)' has no counterpart")
    }

    private static let lowered = "if type == \"string\" then ascii_downcase else . end"

    /// The most arguments that filters are carried over with; others take none.
    private static let most = [
        "default": 2, "d": 2, "hash": 1, "hmac": 2, "replace": 2, "join": 1, "split": 1, "map": .max, "selectattr": 3,
        "rejectattr": 3,
        "regex_search": 1, "regex_replace": 2,
    ]

    /// Another argument would change the result: it is not dropped silently.
    private static func check(_ arguments: [JinjaArgument], of name: String) throws(Unsayable) {
        let named = arguments.first { argument in
            argument.name.map {
                !(name == "map" && $0 == "attribute") && !(["default", "d"].contains(name) && $0 == "boolean")
            } ?? false
        }
        if let name = named?.name { throw Unsayable("the argument '\(name)' of a filter has no counterpart") }
        if arguments.count > most[name] ?? 0 {
            throw Unsayable(
                "the filter '\(name)' with \(arguments.count == 1 ? "an argument" : "such arguments") has no counterpart"
            )
        }
    }

    /// The default applies to missing values; with `true` also to those that count as false.
    private func preset(_ base: JinjaExpression, _ arguments: [JinjaArgument]) throws(Unsayable) -> JQText {
        let other =
            try arguments.first.map { argument throws(Unsayable) in try self.value(argument.value) }
            ?? JQText(text: "\"\"", kind: .text)
        let isWide = arguments.count > 1 && arguments[1].value == .bool(true)
        let value = try value(base)
        if value.kind == .null { return other }
        if isWide { return try either(value, other) }
        if case .member(let owner, let key) = base, looksAtJSON(base) {
            let has = "type == \"object\" and has(\(JQText.string(key)))"
            return JQText(
                text:
                    "\(other.atom) as $d | \(try self.value(owner).atom) | if \(has) then \(PathNotation.path([key])) else $d end",
                isAtom: false
            )
        }
        let kind = value.kind == other.kind ? value.kind : .unknown
        if value.kind == .bool {
            return JQText(
                text: "if \(value.text) == null then \(other.text) else \(value.text) end",
                kind: kind,
                isAtom: false
            )
        }
        return JQText(text: "\(value.atom) // \(other.atom)", kind: kind, isAtom: false)
    }

    private func json(_ base: JinjaExpression) throws(Unsayable) -> JQText {
        let value = try value(base)
        // Written as JSON and parsed where it is used, a value is unchanged.
        return scope.place == .page ? value : JQText(text: "\(value.atom) | tojson", kind: .text, isAtom: false)
    }

    private func hash(_ base: JinjaExpression, _ arguments: [JinjaArgument]) throws(Unsayable) -> JQText {
        let kind: String
        if let argument = arguments.first?.value {
            guard case .text(let name) = argument else {
                throw Unsayable("a hash that is not a constant has no counterpart")
            }
            kind = name
        } else {
            kind = "md5"
        }
        guard ["md5", "sha1", "sha256", "sha384", "sha512"].contains(kind), arguments.count < 2 else {
            throw Unsayable("the hash '\(kind)' has no counterpart")
        }
        if case .filter(_, "tojson", _) = base { throw Unsayable("the hash of JSON has no counterpart: blanks count") }
        let value = try value(base)
        if value.kind == .list || value.kind == .mapping {
            throw Unsayable("the hash of a list or an object has no counterpart: it is that of Python's form")
        }
        return JQText(text: "\(value.asText) | \(kind)", kind: .text, isAtom: false)
    }

    /// Any value converted to a text by a program for texts.
    private func changed(_ base: JinjaExpression, _ program: String) throws(Unsayable) -> JQText {
        JQText(text: "\(try value(base).asText) | \(program)", kind: .text, isAtom: false)
    }

    private func mapped(_ base: JinjaExpression, _ arguments: [JinjaArgument]) throws(Unsayable) -> JQText {
        let list = try elements(of: base)
        if let attribute = arguments.first(where: { $0.name == "attribute" })?.value {
            guard arguments.count == 1 else { throw Unsayable("'map' over a member with a default has no counterpart") }
            guard case .text(let key) = attribute else {
                throw Unsayable("'map' over a changing member has no counterpart")
            }
            let path = PathNotation.path(key.split(separator: ".").map(String.init))
            return JQText(text: "\(list) | map(\(path))", kind: .list, isAtom: false)
        }
        guard case .text(let filter) = arguments.first?.value else {
            throw Unsayable("this use of 'map' has no counterpart")
        }
        var inner = self
        inner.scope.locals = [:]
        inner.scope.place = .record
        // The filter runs over each element, which is then the input.
        let element = try inner.filter(.name(Self.element), filter, Array(arguments.dropFirst()))
        return JQText(text: "\(list) | map(\(element.text))", kind: .list, isAtom: false)
    }

    /// The list to process element by element: a missing one has no elements.
    private func elements(of base: JinjaExpression) throws(Unsayable) -> String {
        let list = try value(base)
        return list.kind == .list ? list.atom : "(\(list.atom) // [])"
    }

    /// The name for the input of a program inside a program.
    private static let element = "record"

    private func selected(_ base: JinjaExpression, _ arguments: [JinjaArgument], rejects: Bool) throws(Unsayable)
        -> JQText
    {
        guard case .text(let key) = arguments.first?.value else {
            throw Unsayable("this use of 'selectattr' has no counterpart")
        }
        let path = PathNotation.path(key.split(separator: ".").map(String.init))
        var condition = "\(path) | IN(\(JQText.empties)) | not"
        if arguments.count > 1 {
            guard case .text(let test) = arguments[1].value else {
                throw Unsayable("this use of 'selectattr' has no counterpart")
            }
            let other = arguments.count > 2 ? try value(arguments[2].value) : nil
            switch (test, other) {
            case ("equalto", let other?), ("==", let other?), ("eq", let other?):
                condition = "\(path) == $o"
                return JQText(
                    text:
                        "\(other.atom) as $o | \(try elements(of: base)) | map(select(\(condition)\(rejects ? " | not" : "")))",
                    kind: .list,
                    isAtom: false
                )
            case ("defined", nil): condition = "\(path) != null"
            case ("none", nil): condition = "\(path) == null"
            default: throw Unsayable("'selectattr' with '\(test)' has no counterpart")
            }
        }
        return JQText(
            text: "\(try elements(of: base)) | map(select(\(condition)\(rejects ? " | not" : "")))",
            kind: .list,
            isAtom: false
        )
    }

    /// The first group of a match; nothing if there is no match, or no group.
    private func search(_ base: JinjaExpression, _ arguments: [JinjaArgument]) throws(Unsayable) -> JQText {
        guard case .text(let pattern) = arguments.first?.value else {
            throw Unsayable("this use of 'regex_search' has no counterpart")
        }
        guard Self.hasGroup(pattern) else { return JQText(text: "\"\"", kind: .text) }
        let inner = "match(\(JQText.string(pattern))).captures[0].string"
        return JQText(text: "[\(try value(base).asText) | \(inner)] | first // \"\"", kind: .text, isAtom: false)
    }

    /// Whether a pattern has a capturing group.
    private static func hasGroup(_ pattern: String) -> Bool {
        var (isEscaped, isInSet) = (false, false)
        let characters = Array(pattern)
        for (at, character) in characters.enumerated() {
            defer { isEscaped = character == "\\" && !isEscaped }
            if isEscaped { continue }
            if character == "[" { isInSet = true }
            if character == "]" { isInSet = false }
            guard character == "(", !isInSet else { continue }
            let rest = characters[(at + 1)...].prefix(3)
            if rest.first != "?" || rest.starts(with: "?P<") { return true }
        }
        return false
    }
}
