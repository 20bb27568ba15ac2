/// Parses an expression by precedence (https://jinja.palletsprojects.com/templates/#expressions).
struct JinjaParser {
    /// More deeply nested expressions are refused as programs.
    private static let depthLimit = 60

    private let tokens: [JinjaToken]
    private var at = 0
    private var depth = 0

    private init(_ tokens: [JinjaToken]) { self.tokens = tokens }

    /// - Throws: `Unsayable` if the text is not an expression.
    static func expression(in scalars: ArraySlice<Unicode.Scalar>) throws(Unsayable) -> JinjaExpression {
        var parser = JinjaParser(try JinjaLexer.tokens(of: scalars))
        let expression = try parser.conditional()
        guard parser.peek == .end else { throw parser.unexpected() }
        return expression
    }

    private var peek: JinjaToken { at < tokens.count ? tokens[at] : .end }

    private func unexpected() -> Unsayable {
        switch peek {
        case .end: Unsayable("the expression ends too early")
        case .symbol("**"): Unsayable("the power of a number ('**') has no counterpart")
        case .name(let text), .text(let text), .number(let text), .symbol(let text):
            Unsayable("the expression has '\(text)' where nothing in Jinja fits")
        }
    }

    private mutating func take(_ symbol: String) -> Bool {
        guard peek == .symbol(symbol) else { return false }
        at += 1
        return true
    }

    private mutating func takeName(_ name: String) -> Bool {
        guard peek == .name(name) else { return false }
        at += 1
        return true
    }

    private mutating func expect(_ symbol: String) throws(Unsayable) {
        guard take(symbol) else { throw unexpected() }
    }

    // MARK: - Operators, loosest first

    private mutating func conditional() throws(Unsayable) -> JinjaExpression {
        depth += 1
        defer { depth -= 1 }
        if depth > Self.depthLimit { throw Unsayable("the expression is nested more than \(Self.depthLimit) deep") }
        var value = try either()
        while takeName("if") {
            let condition = try either()
            let otherwise = takeName("else") ? try conditional() : nil
            value = .conditional(condition, then: value, otherwise: otherwise)
        }
        return value
    }

    private mutating func either() throws(Unsayable) -> JinjaExpression {
        var left = try both()
        while takeName("or") { left = .binary("or", left, try both()) }
        return left
    }

    private mutating func both() throws(Unsayable) -> JinjaExpression {
        var left = try negation()
        while takeName("and") { left = .binary("and", left, try negation()) }
        return left
    }

    private mutating func negation() throws(Unsayable) -> JinjaExpression {
        guard takeName("not") else { return try comparison() }
        return .not(try negation())
    }

    private mutating func comparison() throws(Unsayable) -> JinjaExpression {
        let first = try sum()
        var (left, result) = (first, JinjaExpression?.none)
        while true {
            let next: JinjaExpression
            switch peek {
            case .symbol(let symbol) where ["==", "!=", "<", ">", "<=", ">="].contains(symbol):
                at += 1
                let right = try sum()
                next = .binary(symbol, left, right)
                left = right
            case .name("in"):
                at += 1
                let right = try sum()
                next = .binary("in", left, right)
                left = right
            case .name("not") where at + 1 < tokens.count && tokens[at + 1] == .name("in"):
                at += 2
                let right = try sum()
                next = .not(.binary("in", left, right))
                left = right
            default: return result ?? first
            }
            result = result.map { .binary("and", $0, next) } ?? next
        }
    }

    private mutating func sum() throws(Unsayable) -> JinjaExpression {
        var left = try joined()
        while case .symbol(let symbol) = peek, symbol == "+" || symbol == "-" {
            at += 1
            left = .binary(symbol, left, try joined())
        }
        return left
    }

    private mutating func joined() throws(Unsayable) -> JinjaExpression {
        var left = try product()
        while take("~") { left = .binary("~", left, try product()) }
        return left
    }

    private mutating func product() throws(Unsayable) -> JinjaExpression {
        var left = try unary()
        while case .symbol(let symbol) = peek, ["*", "/", "//", "%"].contains(symbol) {
            at += 1
            left = .binary(symbol, left, try unary())
        }
        return left
    }

    private mutating func unary() throws(Unsayable) -> JinjaExpression {
        if take("-") { return try filtered(.negative(try postfix())) }
        if take("+") { return try filtered(try postfix()) }
        return try filtered(try postfix())
    }

    // MARK: - Suffixes of a value

    private mutating func filtered(_ value: JinjaExpression) throws(Unsayable) -> JinjaExpression {
        var value = value
        while true {
            if take("|") {
                guard case .name(let name) = peek else { throw unexpected() }
                at += 1
                value = .filter(value, name, take("(") ? try arguments() : [])
            } else if takeName("is") {
                let isNegated = takeName("not")
                guard case .name(let name) = peek else { throw unexpected() }
                at += 1
                var given: [JinjaArgument] = []
                if take("(") {
                    given = try arguments()
                } else if Self.takesValue(name) {
                    given = [JinjaArgument(value: try postfix())]
                }
                let test = JinjaExpression.test(value, name.lowercased(), given)
                value = isNegated ? .not(test) : test
            } else {
                return value
            }
        }
    }

    private static func takesValue(_ test: String) -> Bool {
        ["equalto", "eq", "ne", "in", "gt", "lt", "ge", "le", "sameas", "divisibleby"].contains(test)
    }

    private mutating func postfix() throws(Unsayable) -> JinjaExpression {
        var value = try primary()
        while true {
            if take(".") {
                switch peek {
                case .name(let name): value = .member(value, name)
                case .number(let number): value = .index(value, .number(number))
                default: throw unexpected()
                }
                at += 1
            } else if take("[") {
                value = try subscripted(value)
            } else if take("(") {
                value = .call(value, try arguments())
            } else {
                return value
            }
        }
    }

    private mutating func subscripted(_ value: JinjaExpression) throws(Unsayable) -> JinjaExpression {
        let from = peek == .symbol(":") ? nil : try conditional()
        if take(":") {
            let to = peek == .symbol("]") ? nil : try conditional()
            try expect("]")
            return .slice(value, from: from, to: to)
        }
        try expect("]")
        guard let from else { throw unexpected() }
        if let key = from.constantText { return .member(value, key) }
        return .index(value, from)
    }

    private mutating func arguments() throws(Unsayable) -> [JinjaArgument] {
        var arguments: [JinjaArgument] = []
        while !take(")") {
            if case .name(let name) = peek, at + 1 < tokens.count, tokens[at + 1] == .symbol("=") {
                at += 2
                arguments.append(JinjaArgument(name: name, value: try conditional()))
            } else {
                arguments.append(JinjaArgument(value: try conditional()))
            }
            if !take(",") {
                try expect(")")
                break
            }
        }
        return arguments
    }

    // MARK: - Values

    private mutating func primary() throws(Unsayable) -> JinjaExpression {
        let token = peek
        at += 1
        switch token {
        case .text(var text):
            // Adjacent texts are concatenated.
            while case .text(let more) = peek {
                text += more
                at += 1
            }
            return .text(text)
        case .number(let text): return .number(text)
        case .name(let name):
            switch name {
            case "true", "True": return .bool(true)
            case "false", "False": return .bool(false)
            case "none", "None", "null": return .none
            default: return .name(name)
            }
        case .symbol("("): return try grouped()
        case .symbol("["): return .list(try list("]"))
        case .symbol("{"): return try mapping()
        default:
            at -= 1
            throw unexpected()
        }
    }

    private mutating func grouped() throws(Unsayable) -> JinjaExpression {
        let first = try conditional()
        guard take(",") else {
            try expect(")")
            return first
        }
        return .list([first] + (try list(")")))
    }

    private mutating func list(_ end: String) throws(Unsayable) -> [JinjaExpression] {
        var elements: [JinjaExpression] = []
        while !take(end) {
            elements.append(try conditional())
            if !take(",") {
                try expect(end)
                break
            }
        }
        return elements
    }

    private mutating func mapping() throws(Unsayable) -> JinjaExpression {
        var pairs: [JinjaPair] = []
        while !take("}") {
            let key = try conditional()
            try expect(":")
            pairs.append(JinjaPair(key: key, value: try conditional()))
            if !take(",") {
                try expect("}")
                break
            }
        }
        return .mapping(pairs)
    }
}
