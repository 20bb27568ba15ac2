/// A Jinja expression.
indirect enum JinjaExpression: Equatable {
    case text(String)
    case number(String)
    case bool(Bool)
    case none
    case name(String)
    /// `a.b`, and `a['b']` with a constant.
    case member(JinjaExpression, String)
    case index(JinjaExpression, JinjaExpression)
    case slice(JinjaExpression, from: JinjaExpression?, to: JinjaExpression?)
    case call(JinjaExpression, [JinjaArgument])
    case filter(JinjaExpression, String, [JinjaArgument])
    case test(JinjaExpression, String, [JinjaArgument])
    case not(JinjaExpression)
    case negative(JinjaExpression)
    case binary(String, JinjaExpression, JinjaExpression)
    case conditional(JinjaExpression, then: JinjaExpression, otherwise: JinjaExpression?)
    case list([JinjaExpression])
    case mapping([JinjaPair])

    /// The names and constant keys that lead to a value: `response.get('a', {}).b` is `response`, `a`, `b`.
    var path: [String]? {
        switch self {
        case .name(let name): [name]
        case .member(let base, let key): base.path.map { $0 + [key] }
        case .call(.member(let base, "get"), let arguments):
            switch arguments.first?.value {
            case .text(let key) where arguments.count == 1 || arguments[1].value.isEmptyLiteral:
                base.path.map { $0 + [key] }
            default: nil
            }
        default: nil
        }
    }

    /// The values that this expression cannot do without: in Airbyte it fails if one is missing.
    var usedValues: [JinjaExpression] {
        switch self {
        case .filter(let base, let name, _): ["int", "float", "round", "abs"].contains(name) ? [base] : []
        case .slice(let base, _, _), .index(let base, _), .negative(let base): [base]
        case .call(.member(let base, let method), _): method == "get" ? [] : [base]
        case .binary(let sign, let left, let right):
            ["+", "-", "*", "/", "//", "%"].contains(sign) ? [left, right] : []
        default: []
        }
    }

    /// The expression without a leading minus.
    var magnitude: JinjaExpression { if case .negative(let inner) = self { inner } else { self } }

    /// Whether it is a text composed of parts that may be missing.
    var mayBeEmptyText: Bool {
        switch self {
        case .filter(_, let name, _), .call(.member(_, let name), _):
            ["join", "replace", "regex_replace", "trim", "strip", "lower", "upper"].contains(name)
        default: false
        }
    }

    /// The constant text, also one that is concatenated from constants.
    var constantText: String? {
        switch self {
        case .text(let text): text
        case .binary("+", let left, let right), .binary("~", let left, let right):
            left.constantText.flatMap { first in right.constantText.map { first + $0 } }
        default: nil
        }
    }

    /// Whether it is a constant that counts as false.
    var isEmptyLiteral: Bool {
        switch self {
        case .text(""), .none, .bool(false), .number("0"), .list([]), .mapping([]): true
        default: false
        }
    }
}

/// An argument of a call, with its name if it has one.
struct JinjaArgument: Equatable {
    var name: String?
    var value: JinjaExpression
}

/// A member of a mapping.
struct JinjaPair: Equatable {
    var key: JinjaExpression
    var value: JinjaExpression
}

/// A piece of a text containing expressions.
indirect enum JinjaPiece: Equatable {
    case text(String)
    case output(JinjaExpression)
    case set(String, JinjaExpression)
    case branches([JinjaBranch], otherwise: [JinjaPiece])
}

/// A condition, and the text for when it holds.
struct JinjaBranch: Equatable {
    var condition: JinjaExpression
    var pieces: [JinjaPiece]
}
