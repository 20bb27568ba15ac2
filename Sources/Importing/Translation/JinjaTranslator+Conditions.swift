extension JinjaTranslator {
    /// An expression as a condition: a program that gives `true` or `false`.
    func condition(_ expression: JinjaExpression) throws(Unsayable) -> String {
        switch expression {
        case .bool(let bool): return bool ? "true" : "false"
        case .not(let inner): return "(\(try condition(inner)) | not)"
        case .binary(let sign, let left, let right):
            switch sign {
            case "and", "or": return "(\(try condition(left)) \(sign) \(try condition(right)))"
            case "in": return try membership(left, right)
            case "==", "!=": return try equality(sign, left, right)
            case "<", ">", "<=", ">=": return "(\(try compared(left)) \(sign) \(try compared(right)))"
            default: return try truth(expression)
            }
        case .test(let base, let name, let arguments): return try test(base, name, arguments)
        case .conditional(let condition, let then, let otherwise):
            let no = try otherwise.map { other throws(Unsayable) in try self.condition(other) } ?? "false"
            return "(if \(try self.condition(condition)) then \(try self.condition(then)) else \(no) end)"
        default: return try truth(expression)
        }
    }

    /// Whether a value does not count as false.
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

    /// Times are compared as texts of one form.
    private func compared(_ expression: JinjaExpression) throws(Unsayable) -> String { try value(expression).atom }

    private func equality(_ sign: String, _ left: JinjaExpression, _ right: JinjaExpression) throws(Unsayable)
        -> String
    {
        if right == .none { return try test(left, sign == "==" ? "none" : "notnone", []) }
        if right == .text("False") || right == .bool(false), left.path != nil {
            // A missing member is not false, and jq's null is not either.
            return "(\(try value(left).atom) \(sign) false)"
        }
        return "(\(try value(left).atom) \(sign) \(try value(right).atom))"
    }

    private func membership(_ left: JinjaExpression, _ right: JinjaExpression) throws(Unsayable) -> String {
        let needle = try value(left)
        if case .list(let elements) = right {
            var texts: [String] = []
            for element in elements { texts.append(try value(element).text) }
            return texts.isEmpty ? "false" : "(\(needle.atom) | IN(\(texts.joined(separator: ", "))))"
        }
        // What a name says of the configuration is known by whether it is there.
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
        return "(\(needle.atom) as $n | \(container.atom) | if type == \"object\" then has($n | tostring) "
            + "elif type == \"array\" then index([$n]) != null elif type == \"string\" then contains($n) else false end)"
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
        case "number", "integer", "float": return "(\(try value(base).atom) | type == \"number\")"
        case "boolean": return "(\(try value(base).atom) | type == \"boolean\")"
        case "mapping": return "(\(try value(base).atom) | type == \"object\")"
        case "iterable", "sequence":
            return "(\(try value(base).atom) | type | IN(\"array\", \"object\", \"string\"))"
        case "equalto", "eq", "sameas":
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

    /// Whether something is there, be it null.
    private func presence(_ base: JinjaExpression) throws(Unsayable) -> String {
        switch base {
        case .member(let owner, let key) where looksAtJSON(base): return try owns(owner, key)
        // What .get() gives is always something.
        case .call(.member(_, "get"), _): return "true"
        default: return "(\(try value(base).atom) != null)"
        }
    }

    private func owns(_ owner: JinjaExpression, _ key: String) throws(Unsayable) -> String {
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
