import LosslessJSON
import PlugCore

/// Jinja expressions as jq.
///
/// Jinja treats null, `false`, 0 and anything empty as false, jq only null and `false`; and it distinguishes a missing member
/// from one that is null. Both are preserved wherever it makes a difference.
struct JinjaTranslator {
    /// How to treat a look into a missing value, and a comparison of values that cannot be compared: in Airbyte the first makes
    /// the whole condition false, and the second makes it true.
    enum Strictness {
        /// In a value: ignored.
        case none
        /// In a condition that is false in any case.
        case unneeded
        /// In a condition whose result would differ.
        case needed
    }

    var scope: JinjaScope
    var strictness = Strictness.none

    init(_ scope: JinjaScope) { self.scope = scope }

    // MARK: - Values

    /// The value of an expression.
    ///
    /// - Throws: `Unsayable` for what has no counterpart.
    func value(_ expression: JinjaExpression) throws(Unsayable) -> JQText {
        switch expression {
        case .text(let text): return JQText(text: JQText.string(text), kind: .text)
        case .number(let text): return JQText(text: text, kind: .number)
        case .bool(let bool): return JQText(text: bool ? "true" : "false", kind: .bool)
        case .none: return JQText(text: "null", kind: .null)
        case .list(let elements): return try list(elements)
        case .mapping(let pairs): return try mapping(pairs)
        case .name(let name): return try named(name)
        case .member(let base, let key): return try member(expression, base, key)
        case .index(let base, let key): return try index(base, key)
        case .slice(let base, let from, let to): return try slice(base, from, to)
        case .call(let function, let arguments): return try call(expression, function, arguments)
        case .filter(let base, let name, let arguments): return try filter(base, name, arguments)
        case .test, .not: return JQText(text: try condition(expression), kind: .bool, isAtom: false)
        case .negative(let inner): return JQText(text: "-\(try value(inner).atom)", kind: .number, isAtom: false)
        case .binary(let sign, let left, let right): return try binary(expression, sign, left, right)
        case .conditional(let condition, let then, let otherwise):
            let yes = try value(then)
            let no = try otherwise.map { other throws(Unsayable) in try value(other) }
            return JQText(
                text: "if \(try self.condition(condition)) then \(yes.text) else \(no?.text ?? "\"\"") end",
                kind: no.map { $0.kind == yes.kind ? yes.kind : .unknown } ?? .unknown,
                isAtom: false
            )
        }
    }

    /// Whether an expression may return nothing, or an empty text: an optional setting, the token of a page, and anything made
    /// from them.
    func mayBeNothing(_ expression: JinjaExpression) throws(Unsayable) -> Bool {
        switch expression {
        case .number, .bool, .list, .mapping, .test, .not: return false
        case .text(let text): return text.isEmpty
        case .binary("~", let left, let right), .binary("+", let left, let right):
            let (first, second) = (try mayBeNothing(left), try mayBeNothing(right))
            return first && second
        case .binary("or", _, let right): return try mayBeNothing(right)
        case .binary("and", let left, let right):
            let (first, second) = (try mayBeNothing(left), try mayBeNothing(right))
            return first || second
        case .binary: return false
        case .conditional(_, let then, let otherwise):
            let no = try otherwise.map { other throws(Unsayable) in try mayBeNothing(other) } ?? true
            let yes = try mayBeNothing(then)
            return yes || no
        default: break
        }
        guard let path = expression.path else { return true }
        switch path.first {
        case "config": return scope.config.key(at: Array(path.dropFirst()))?.isRequired != true
        case "stream_slice", "stream_interval", "stream_partition":
            return try value(expression).kind == .null
        default: return true
        }
    }

    /// Whether it is an optional setting without a default.
    func isOpen(_ expression: JinjaExpression) -> Bool {
        guard let path = expression.path, path.first == "config", scope.locals["config"] == nil,
            let key = scope.config.key(at: Array(path.dropFirst()))
        else { return false }
        return !key.isRequired && key.preset == nil
    }

    private func list(_ elements: [JinjaExpression]) throws(Unsayable) -> JQText {
        var texts: [String] = []
        for element in elements { texts.append(try value(element).atom) }
        return JQText(text: "[\(texts.joined(separator: ", "))]", kind: .list)
    }

    private func mapping(_ pairs: [JinjaPair]) throws(Unsayable) -> JQText {
        var texts: [String] = []
        for pair in pairs {
            let key = try value(pair.key)
            let name = if case .text = pair.key { key.text } else { "(\(key.asText))" }
            texts.append("\(name): \(try value(pair.value).atom)")
        }
        return JQText(text: "{\(texts.joined(separator: ", "))}", kind: .mapping)
    }

    private func named(_ name: String) throws(Unsayable) -> JQText {
        if let local = scope.locals[name] {
            var inner = self
            // A name may be redefined using its former value.
            inner.scope.locals[name] = nil
            return try inner.value(local)
        }
        if let value = try scope.value(at: [name]) { return value }
        throw Unsayable("'\(name)' has no counterpart here")
    }

    private func member(_ whole: JinjaExpression, _ base: JinjaExpression, _ key: String) throws(Unsayable) -> JQText {
        if let path = whole.path, scope.locals[path[0]] == nil {
            guard let value = try scope.value(at: path) else {
                throw Unsayable("'\(path.joined(separator: "."))' has no counterpart here")
            }
            // In Python a member of a text, a number or a list is undefined; in jq it is an error.
            let mayFail = strictness != .none && scope.place == .record && path.count > 2 && looksAtJSON(whole)
            return mayFail ? JQText(text: "(try \(value.text) catch null)") : value
        }
        return JQText(text: try value(base).atom + PathNotation.step(key))
    }

    private func index(_ base: JinjaExpression, _ key: JinjaExpression) throws(Unsayable) -> JQText {
        let base = try value(base)
        switch key {
        case .number(let number): return JQText(text: "\(base.atom)[\(number)]")
        case .negative(.number(let number)): return JQText(text: "\(base.atom)[-\(number)]")
        default:
            // The key sees the input, not the value that it is looked up in.
            let key = try value(key)
            return JQText(text: "(\(key.atom) as $k | \(base.atom)[$k])")
        }
    }

    private func slice(_ base: JinjaExpression, _ from: JinjaExpression?, _ to: JinjaExpression?) throws(Unsayable)
        -> JQText
    {
        func bound(_ expression: JinjaExpression?) throws(Unsayable) -> String {
            switch expression {
            case nil: return ""
            case .number(let number): return number
            case .negative(.number(let number)): return "-\(number)"
            default: throw Unsayable("a slice between bounds that are no constants has no counterpart")
            }
        }
        let base = try value(base)
        let (lower, upper) = (try bound(from), try bound(to))
        if lower.isEmpty, upper.isEmpty { return base }
        return JQText(text: "\(base.atom)[\(lower):\(upper)]", kind: base.kind)
    }

    private func binary(
        _ whole: JinjaExpression,
        _ sign: String,
        _ left: JinjaExpression,
        _ right: JinjaExpression
    ) throws(Unsayable) -> JQText {
        switch sign {
        case "or":
            if left.isBoolean, right.isBoolean { return JQText(text: try condition(whole), kind: .bool, isAtom: false) }
            return try either(try value(left), try value(right))
        case "and":
            if left.isBoolean, right.isBoolean { return JQText(text: try condition(whole), kind: .bool, isAtom: false) }
            let (first, second) = (try value(left), try value(right))
            let text = "\(first.atom) as $v | if $v | IN(\(JQText.empties)) then $v else \(second.text) end"
            return JQText(text: text, isAtom: false)
        case "==", "!=", "<", ">", "<=", ">=", "in":
            return JQText(text: try condition(whole), kind: .bool, isAtom: false)
        case "~":
            return JQText(
                text: "\(try value(left).asText) + \(try value(right).asText)",
                kind: .text,
                isAtom: false
            )
        case "+", "-": return try moved(sign, left, right)
        case "//":
            return JQText(
                text: "\(try value(left).atom) / \(try value(right).atom) | floor",
                kind: .number,
                isAtom: false
            )
        case "%":
            // With texts it is a formatting operator.
            if case .text = left { throw Unsayable("a text formatted with '%' has no counterpart") }
            let (first, second) = (try value(left), try value(right))
            // Python's remainder has the sign of the divisor, and fractions.
            return JQText(
                text: "(\(first.atom) as $n | \(second.atom) as $d | $n - $d * ($n / $d | floor))",
                kind: .number
            )
        default:
            return JQText(
                text: "\(try value(left).atom) \(sign) \(try value(right).atom)",
                kind: .number,
                isAtom: false
            )
        }
    }

    /// The first of two values if it does not count as false, else the second.
    func either(_ first: JQText, _ second: JQText) throws(Unsayable) -> JQText {
        if first.kind == .null { return second }
        let kind = first.kind == second.kind ? first.kind : .unknown
        if first.text.hasPrefix("config."), !first.text.contains(" ") {
            return JQText(
                text: "(\(first.text) | select(IN(\(JQText.empties)) | not)) // \(second.atom)",
                kind: kind,
                isAtom: false
            )
        }
        let text = "\(first.atom) as $v | if $v | IN(\(JQText.empties)) then \(second.text) else $v end"
        return JQText(text: text, kind: kind, isAtom: false)
    }

    private func moved(_ sign: String, _ left: JinjaExpression, _ right: JinjaExpression) throws(Unsayable) -> JQText {
        if let moved = try time(left, sign, right) { return moved }
        let (first, second) = (try value(left), try value(right))
        if sign == "+", first.kind == .text || second.kind == .text {
            return JQText(text: "\(first.asText) + \(second.asText)", kind: .text, isAtom: false)
        }
        if first.kind == .time || second.kind == .time {
            throw Unsayable("the difference of two times has no counterpart")
        }
        let kind = first.kind == second.kind ? first.kind : .unknown
        return JQText(text: "\(first.atom) \(sign) \(second.atom)", kind: kind, isAtom: false)
    }
}

extension JinjaExpression {
    /// Whether its value is always true or false.
    var isBoolean: Bool {
        switch self {
        case .bool, .not, .test: true
        case .binary(let sign, let left, let right):
            switch sign {
            case "and", "or": left.isBoolean && right.isBoolean
            case "==", "!=", "<", ">", "<=", ">=", "in": true
            default: false
            }
        default: false
        }
    }
}
