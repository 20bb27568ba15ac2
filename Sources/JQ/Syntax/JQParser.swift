import LosslessJSON

/// Reads a program into its tree: pipes, commas and operators here; terms, strings and the rest in extensions.
struct JQParser {
    /// The nesting of parentheses, brackets and the like: reading and compiling this many takes less than 512 KiB of the native
    /// stack in a release build.
    static let nestingLimit = 100
    /// The depth of nodes, as in a chain of pipes.
    static let depthLimit = 500

    var lexer: JQLexer
    private(set) var token = JQToken.end
    private(set) var range = 0..<0
    private(set) var previousEnd = 0
    private var nesting = 0

    init(_ source: String) { lexer = JQLexer(source) }

    /// Reads the whole source.
    static func parse(_ source: String) throws(JQSyntaxError) -> JQSyntax {
        var parser = JQParser(source)
        try parser.advance()
        if parser.token == .end { return try parser.make(.identity, from: 0) }
        let program = try parser.pipe()
        guard parser.token == .end else { throw parser.unexpected() }
        return program
    }

    /// Reads a list of definitions.
    static func definitions(_ source: String) throws(JQSyntaxError) -> [JQSyntax.Definition] {
        var parser = JQParser(source)
        try parser.advance()
        var definitions: [JQSyntax.Definition] = []
        while parser.token != .end { definitions.append(try parser.definition()) }
        return definitions
    }

    // MARK: Tokens

    mutating func advance() throws(JQSyntaxError) {
        previousEnd = range.upperBound
        (token, range) = try lexer.next()
    }

    /// Continues after text that the parser has read itself.
    mutating func resume(at position: Int) throws(JQSyntaxError) {
        lexer.move(to: position)
        range = range.lowerBound..<position
        try advance()
    }

    func isSymbol(_ symbol: String) -> Bool { token == .symbol(symbol) }

    mutating func accept(_ wanted: JQToken) throws(JQSyntaxError) -> Bool {
        guard token == wanted else { return false }
        try advance()
        return true
    }

    mutating func expect(_ wanted: JQToken, after what: String) throws(JQSyntaxError) {
        guard token == wanted else {
            throw JQSyntaxError("expected \(wanted.name) \(what), found \(token.name)", at: range)
        }
        try advance()
    }

    func unexpected() -> JQSyntaxError {
        let help: String? =
            switch token {
            case .symbol("="), .symbol("=="): "comparisons do not chain: use parentheses"
            case .symbol("|") where range.lowerBound > 0 && lexer.source[range.lowerBound - 1] == "|":
                "jq says 'or'; a default is written '//'"
            default: nil
            }
        if token == .end { return JQSyntaxError("the program ends too early", at: range) }
        return JQSyntaxError("unexpected \(token.name)", at: range, help: help)
    }

    // MARK: Nodes

    mutating func nested<Result>(
        _ body: (inout JQParser) throws(JQSyntaxError) -> Result
    ) throws(JQSyntaxError) -> Result {
        nesting += 1
        defer { nesting -= 1 }
        guard nesting <= Self.nestingLimit else {
            throw JQSyntaxError("the program is nested deeper than \(Self.nestingLimit) levels", at: range)
        }
        return try body(&self)
    }

    func make(_ node: JQSyntax.Node, from start: Int) throws(JQSyntaxError) -> JQSyntax {
        let syntax = JQSyntax(node: node, range: start..<max(start, previousEnd), depth: node.childDepth + 1)
        guard syntax.depth <= Self.depthLimit else {
            throw JQSyntaxError("the program is deeper than \(Self.depthLimit) terms", at: syntax.range)
        }
        return syntax
    }

    // MARK: Operators

    /// A whole program: pipes, definitions, bindings and labels reach as far right as they can.
    mutating func pipe(commas: Bool = true) throws(JQSyntaxError) -> JQSyntax {
        try nested { (parser) throws(JQSyntaxError) in try parser.pipeUnchecked(commas) }
    }

    private mutating func pipeUnchecked(_ commas: Bool) throws(JQSyntaxError) -> JQSyntax {
        // Chains are collected and folded from the right, so that a long one costs no native stack here.
        var parts: [JQSyntax] = []
        repeat {
            let start = range.lowerBound
            if token == .keyword("def") {
                let definition = try definition()
                let rest = try pipe(commas: commas)
                parts.append(try make(.definition(definition, rest: rest), from: start))
                break
            }
            if token == .keyword("label") {
                parts.append(try label(commas))
                break
            }
            let left = commas ? try comma() : try bindable()
            parts.append(left)
        } while try accept(.symbol("|"))
        guard var program = parts.popLast() else { throw unexpected() }
        while let left = parts.popLast() {
            program = try make(.pipe(left, program), from: left.range.lowerBound)
        }
        return program
    }

    private mutating func label(_ commas: Bool) throws(JQSyntaxError) -> JQSyntax {
        let start = range.lowerBound
        try advance()
        guard case .variable(let name) = token else { throw unexpected() }
        try advance()
        try expect(.symbol("|"), after: "after 'label $\(name)'")
        let body = try pipe(commas: commas)
        return try make(.label(name, body: body), from: start)
    }

    private mutating func comma() throws(JQSyntaxError) -> JQSyntax {
        let start = range.lowerBound
        var left = try bindable()
        while try accept(.symbol(",")) {
            let right = try bindable()
            left = try make(.comma(left, right), from: start)
        }
        return left
    }

    private enum Fold { case left, right, none }

    private func level(_ symbol: JQToken) -> (Int, Fold)? {
        switch symbol {
        case .symbol("//"): (1, .right)
        case .symbol("="), .symbol("|="), .symbol("+="), .symbol("-="), .symbol("*="), .symbol("/="), .symbol("%="),
            .symbol("//="):
            (2, .none)
        case .keyword("or"): (3, .left)
        case .keyword("and"): (4, .left)
        case .symbol("=="), .symbol("!="), .symbol("<"), .symbol("<="), .symbol(">"), .symbol(">="): (5, .none)
        case .symbol("+"), .symbol("-"): (6, .left)
        case .symbol("*"), .symbol("/"), .symbol("%"): (7, .left)
        default: nil
        }
    }

    /// Operators that bind at least this tightly.
    mutating func binary(_ floor: Int) throws(JQSyntaxError) -> JQSyntax {
        let start = range.lowerBound
        var left = try unary()
        while let (level, fold) = level(token), level >= floor {
            let symbol = token
            try advance()
            let right = try nested { (parser) throws(JQSyntaxError) in
                try parser.binary(fold == .right ? level : level + 1)
            }
            left = try make(operation(symbol, left, right), from: start)
            if fold == .none, let (next, _) = self.level(token), next == level { throw unexpected() }
        }
        return left
    }

    private func operation(_ symbol: JQToken, _ left: JQSyntax, _ right: JQSyntax) -> JQSyntax.Node {
        switch symbol {
        case .symbol("//"): return .alternative(left, right)
        case .symbol("="): return .update(.assign, left, right)
        case .symbol("|="): return .update(.modify, left, right)
        case .symbol("//="): return .update(.alternative, left, right)
        case .keyword("or"): return .or(left, right)
        case .keyword("and"): return .and(left, right)
        case .symbol(let text):
            if let plain = JQSyntax.Operator(rawValue: text) { return .binary(plain, left, right) }
            let name = String(text.dropLast())
            return .update(.arithmetic(JQSyntax.Operator(rawValue: name) ?? .add), left, right)
        default: return .comma(left, right)
        }
    }

    private mutating func unary() throws(JQSyntaxError) -> JQSyntax {
        let start = range.lowerBound
        if try accept(.symbol("-")) {
            let operand = try nested { (parser) throws(JQSyntaxError) in try parser.unary() }
            return try make(.negation(operand), from: start)
        }
        if token == .keyword("def") {
            let definition = try definition()
            let rest = try pipe()
            return try make(.definition(definition, rest: rest), from: start)
        }
        return try postfix()
    }

    /// An expression, or `EXPRESSION as PATTERNS | BODY`, where the body reaches as far right as it can.
    private mutating func bindable() throws(JQSyntaxError) -> JQSyntax {
        let source = try binary(0)
        guard try accept(.keyword("as")) else { return source }
        var patterns = [try pattern()]
        while try accept(.symbol("?//")) { patterns.append(try pattern()) }
        try expect(.symbol("|"), after: "after the pattern")
        let body = try pipe()
        return try make(.binding(source, patterns, body: body), from: source.range.lowerBound)
    }

    mutating func definition() throws(JQSyntaxError) -> JQSyntax.Definition {
        try expect(.keyword("def"), after: "before a definition")
        guard let name = plainName else { throw unexpected() }
        try advance()
        var parameters: [String] = []
        if try accept(.symbol("(")) {
            repeat {
                if case .variable(let name) = token {
                    parameters.append("$" + name)
                } else if let name = plainName {
                    parameters.append(name)
                } else {
                    throw unexpected()
                }
                try advance()
            } while try accept(.symbol(";"))
            try expect(.symbol(")"), after: "after the parameters")
        }
        try expect(.symbol(":"), after: "after 'def \(name)'")
        let body = try pipe()
        try expect(.symbol(";"), after: "after the definition of '\(name)'")
        return JQSyntax.Definition(name: name, parameters: parameters, body: body)
    }

    /// The name at this place; reserved words are names in definitions.
    var plainName: String? {
        switch token {
        case .name(let name), .keyword(let name): name
        default: nil
        }
    }
}
