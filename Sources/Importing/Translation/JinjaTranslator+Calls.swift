import PlugCore

extension JinjaTranslator {
    func call(_ whole: JinjaExpression, _ function: JinjaExpression, _ arguments: [JinjaArgument]) throws(Unsayable)
        -> JQText
    {
        switch function {
        case .name(let name):
            if let time = try timeCall(name, arguments) { return time }
            switch (name, arguments.first?.value) {
            case ("sanitize_url", let value?):
                return JQText(
                    text: "\(try self.value(value).asText) | @uri | gsub(\"%20\"; \"+\")",
                    kind: .text,
                    isAtom: false
                )
            case ("camel_case_to_snake_case", let value?):
                return JQText(
                    text: "\(try self.value(value).asText) | gsub(\"(?<!^)(?=[A-Z])\"; \"_\") | ascii_downcase",
                    kind: .text,
                    isAtom: false
                )
            default: throw Unsayable("the function '\(name)' has no counterpart")
            }
        case .member(let base, let method):
            return try method == "get" ? get(whole, base, arguments) : self.method(base, method, arguments)
        default: throw Unsayable("a call of a value has no counterpart")
        }
    }

    /// `base.get(key, default)`: the default only if the member is missing.
    private func get(_ whole: JinjaExpression, _ base: JinjaExpression, _ arguments: [JinjaArgument]) throws(Unsayable)
        -> JQText
    {
        guard let key = arguments.first?.value else { throw Unsayable("'get' without a name has no counterpart") }
        let fallback = arguments.count > 1 ? arguments[1].value : JinjaExpression.none
        // A default that counts as false makes no difference to what is looked up in it.
        let isExact = scope.place == .record || scope.place == .map || base.path == ["config"]
        if fallback.isEmptyLiteral, fallback != .text(""), !isExact || fallback == .none, let path = whole.path,
            scope.locals[path[0]] == nil,
            let value = try scope.value(at: path)
        {
            if fallback == .bool(false), value.kind != .bool {
                return JQText(text: "\(value.atom) // false", isAtom: false)
            }
            if case .number = fallback { return JQText(text: "\(value.atom) // 0", kind: value.kind, isAtom: false) }
            return value
        }
        let other = try value(fallback)
        if case .text(let name) = key {
            if let path = base.path, scope.locals[path[0]] == nil, !looksAtJSON(base) {
                guard let value = try scope.value(at: path + [name]) else {
                    throw Unsayable("'\(path.joined(separator: "."))' has no counterpart here")
                }
                if value.kind == .null { return other }
                let kind = value.kind == other.kind ? value.kind : .unknown
                if value.kind == .bool, other.text == "true" {
                    return JQText(
                        text: "if \(value.text) == null then true else \(value.text) end",
                        kind: .bool,
                        isAtom: false
                    )
                }
                return JQText(text: "\(value.atom) // \(other.atom)", kind: kind, isAtom: false)
            }
            let owner = try value(base)
            let has = "type == \"object\" and has(\(JQText.string(name)))"
            return JQText(
                text: "\(other.atom) as $d | \(owner.atom) | if \(has) then \(PathNotation.path([name])) else $d end",
                isAtom: false
            )
        }
        if base.path == ["config"] { throw Unsayable("a setting whose name is not a constant has no counterpart") }
        return JQText(
            text:
                "\(try value(key).atom) as $k | \(other.atom) as $d | \(try value(base).atom) | if ($k | type) == \"string\" and has($k) then .[$k] else $d end",
            isAtom: false
        )
    }

    private func method(_ base: JinjaExpression, _ name: String, _ arguments: [JinjaArgument]) throws(Unsayable)
        -> JQText
    {
        func text(_ at: Int) throws(Unsayable) -> String {
            guard arguments.indices.contains(at) else { throw Unsayable("'\(name)' lacks an argument") }
            return try value(arguments[at].value).text
        }
        // A value of another type has no such method, so that a condition is false as a whole.
        func piped(_ program: String, _ kind: JQText.Kind, of type: String = "string") throws(Unsayable) -> JQText {
            let base = try value(base)
            let isSure = strictness == .none || scope.place != .record || base.kind == .text
            let text = isSure ? program : "if type == \"\(type)\" then \(program) else error(false) end"
            return JQText(text: "\(base.atom) | \(text)", kind: kind, isAtom: false)
        }
        switch name {
        case "strftime":
            guard case .text(let format) = arguments.first?.value else {
                throw Unsayable("'strftime' without a constant format has no counterpart")
            }
            return try formatted(try value(base), format)
        case "isoformat":
            if case .text("seconds") = arguments.last?.value {
                return try formatted(try value(base), "%Y-%m-%dT%H:%M:%S+00:00")
            }
            let written = try formatted(try value(base), "%Y-%m-%dT%H:%M:%S.%f+00:00")
            return JQText(text: "\(written.atom) | sub(\"[.]000000\"; \"\")", kind: .text, isAtom: false)
        case "timestamp": return JQText(text: "\(try value(base).atom) | time(\"epoch\")", kind: .number, isAtom: false)
        case "date": return JQText(text: "\(try value(base).atom) | time(\"date\")", kind: .text, isAtom: false)
        case "split":
            if arguments.isEmpty { return try piped("[splits(\"\\\\s+\") | select(. != \"\")]", .list) }
            if arguments.count > 1 { throw Unsayable("'split' into so many parts at most has no counterpart") }
            return try piped("split(\(try text(0)))", .list)
        case "lower": return try piped("ascii_downcase", .text)
        case "upper": return try piped("ascii_upcase", .text)
        case "strip" where arguments.isEmpty: return try piped("trim", .text)
        case "lstrip" where arguments.isEmpty: return try piped("ltrim", .text)
        case "rstrip" where arguments.isEmpty: return try piped("rtrim", .text)
        case "strip", "lstrip", "rstrip":
            guard case .text(let characters) = arguments[0].value else { break }
            let set = "[\(Self.escaped(characters))]+"
            let ends = name == "strip" ? ["^\(set)", "\(set)$"] : name == "lstrip" ? ["^\(set)"] : ["\(set)$"]
            return try piped(ends.map { "sub(\(JQText.string($0)); \"\")" }.joined(separator: " | "), .text)
        case "replace":
            guard arguments.count == 2 else { break }
            return try piped("split(\(try text(0))) | join(\(try text(1)))", .text)
        case "startswith": return try piped("startswith(\(try text(0)))", .bool)
        case "endswith": return try piped("endswith(\(try text(0)))", .bool)
        case "join":
            guard arguments.count == 1 else { break }
            let list = try value(arguments[0].value)
            return JQText(
                text: "\(list.atom) | map(tostring) | join(\(try value(base).text))",
                kind: .text,
                isAtom: false
            )
        case "keys": return try piped("keys_unsorted", .list, of: "object")
        case "values": return try piped("[.[]]", .list, of: "object")
        case "items": return try piped("to_entries | map([.key, .value])", .list, of: "object")
        case "format":
            guard case .text(let pattern) = base else { break }
            return try format(pattern, arguments)
        default: break
        }
        throw Unsayable("the method '\(name)' has no counterpart")
    }

    /// A call such as `'https://{}/v1'.format(x)`.
    private func format(_ pattern: String, _ arguments: [JinjaArgument]) throws(Unsayable) -> JQText {
        let parts = pattern.split(separator: "{}", omittingEmptySubsequences: false)
        guard parts.count == arguments.count + 1, !parts.contains(where: { $0.contains("{") }) else {
            throw Unsayable("a text with '{…}' that 'format' fills has no counterpart")
        }
        var texts: [String] = []
        for (at, part) in parts.enumerated() {
            if !part.isEmpty { texts.append(JQText.string(String(part))) }
            if at < arguments.count { texts.append(try value(arguments[at].value).asText) }
        }
        return JQText(text: texts.joined(separator: " + "), kind: .text, isAtom: false)
    }

    static func escaped(_ characters: String) -> String {
        characters.map { "\\]^-[".contains($0) ? "\\\($0)" : String($0) }.joined()
    }
}
