import LosslessJSON

extension JQParser {
    /// A term with its suffixes: fields, brackets, `?`.
    mutating func postfix() throws(JQSyntaxError) -> JQSyntax {
        let start = range.lowerBound
        let isParenthesised = isSymbol("(")
        var term = try primary()
        let end = previousEnd
        while true {
            switch token {
            case .field(let name):
                let key = try literal(.text(name), in: range)
                try advance()
                term = try make(.index(term, key: key), from: start)
            case .symbol("."):
                try advance()
                if token == .quote {
                    let key = try string(format: nil)
                    term = try make(.index(term, key: key), from: start)
                } else if isSymbol("[") {
                    continue
                } else {
                    throw unexpected()
                }
            case .symbol("["): term = try brackets(term, start)
            case .symbol("?"):
                // After parentheses `?` covers all of them; after a step, only the step.
                let coversAll = isParenthesised && previousEnd == end
                try advance()
                term = try make(coversAll ? .trying(term, handler: nil) : .attempt(term), from: start)
            default: return term
            }
        }
    }

    func literal(_ value: JSONValue, in range: Range<Int>) throws(JQSyntaxError) -> JQSyntax {
        JQSyntax(node: .literal(value), range: range, depth: 1)
    }

    private mutating func brackets(_ term: JQSyntax, _ start: Int) throws(JQSyntaxError) -> JQSyntax {
        try advance()
        if try accept(.symbol("]")) { return try make(.iterate(term), from: start) }
        if try accept(.symbol(":")) {
            let to = try pipe()
            try expect(.symbol("]"), after: "after the slice")
            return try make(.slice(term, from: nil, to: to), from: start)
        }
        let key = try pipe()
        if try accept(.symbol(":")) {
            let to = isSymbol("]") ? nil : try pipe()
            try expect(.symbol("]"), after: "after the slice")
            return try make(.slice(term, from: key, to: to), from: start)
        }
        try expect(.symbol("]"), after: "after the index")
        return try make(.index(term, key: key), from: start)
    }

    private mutating func primary() throws(JQSyntaxError) -> JQSyntax {
        let start = range.lowerBound
        switch token {
        case .number(let digits):
            let value = literal(of: digits)
            try advance()
            return try make(.literal(value), from: start)
        case .quote: return try string(format: nil)
        case .format(let name):
            try advance()
            return token == .quote ? try string(format: name) : try make(.format(name), from: start)
        case .field(let name):
            let key = try literal(.text(name), in: range)
            try advance()
            let identity = JQSyntax(node: .identity, range: start..<start, depth: 1)
            return try make(.index(identity, key: key), from: start)
        case .variable(let name): return try variable(name, start)
        case .name(let name): return try call(name, start)
        case .symbol(let symbol): return try bracketed(symbol, start)
        case .keyword(let word): return try control(word, start)
        case .end: throw unexpected()
        }
    }

    /// The digits as JSON writes them: `.5` is `0.5`, `1.` is `1`, `007` is `7`.
    private func literal(of digits: String) -> JSONValue {
        var text = digits.hasPrefix(".") ? "0" + digits : digits
        while text.hasPrefix("0"), text.dropFirst().first?.isNumber == true { text.removeFirst() }
        if let point = text.firstIndex(of: "."), text[text.index(after: point)...].first?.isNumber != true {
            text.remove(at: point)
        }
        return JSONNumber(text).map { .number($0) } ?? .null
    }

    private mutating func variable(_ name: String, _ start: Int) throws(JQSyntaxError) -> JQSyntax {
        let line = lexer.source[..<start].count { $0 == "\n" } + 1
        try advance()
        guard name == "__loc__" else { return try make(.variable(name), from: start) }
        let place = JSONObject([("file", .text("<top-level>")), ("line", .integer(line))])
        return try make(.literal(.object(place)), from: start)
    }

    private mutating func call(_ name: String, _ start: Int) throws(JQSyntaxError) -> JQSyntax {
        try advance()
        if name == "break" {
            guard case .variable(let label) = token else { throw unexpected() }
            try advance()
            return try make(.breakTo(label), from: start)
        }
        var arguments: [JQSyntax] = []
        if try accept(.symbol("(")) {
            repeat { arguments.append(try pipe()) } while try accept(.symbol(";"))
            try expect(.symbol(")"), after: "after the arguments of '\(name)'")
        }
        switch (name, arguments.isEmpty) {
        case ("null", true): return try make(.literal(.null), from: start)
        case ("true", true): return try make(.literal(.bool(true)), from: start)
        case ("false", true): return try make(.literal(.bool(false)), from: start)
        default: return try make(.call(name, arguments), from: start)
        }
    }

    private mutating func bracketed(_ symbol: String, _ start: Int) throws(JQSyntaxError) -> JQSyntax {
        switch symbol {
        case ".":
            try advance()
            let identity = try make(.identity, from: start)
            guard token == .quote, range.lowerBound == previousEnd else { return identity }
            let key = try string(format: nil)
            return try make(.index(identity, key: key), from: start)
        case "..":
            try advance()
            return try make(.recursion, from: start)
        case "(":
            try advance()
            let inside = try pipe()
            try expect(.symbol(")"), after: "to close '('")
            return inside
        case "[":
            try advance()
            if try accept(.symbol("]")) { return try make(.array(nil), from: start) }
            let inside = try pipe()
            try expect(.symbol("]"), after: "to close '['")
            return try make(.array(inside), from: start)
        case "{": return try object(start)
        case "-":
            try advance()
            let operand = try nested { (parser) throws(JQSyntaxError) in try parser.postfix() }
            return try make(.negation(operand), from: start)
        default: throw unexpected()
        }
    }

    // MARK: Objects

    private mutating func object(_ start: Int) throws(JQSyntaxError) -> JQSyntax {
        try advance()
        var entries: [JQSyntax.Entry] = []
        while !isSymbol("}") {
            entries.append(try nested { (parser) throws(JQSyntaxError) in try parser.entry() })
            guard try accept(.symbol(",")) else { break }
            // A comma before the brace is refused, as in jq.
            if isSymbol("}") { throw unexpected() }
        }
        try expect(.symbol("}"), after: "to close '{'")
        return try make(.object(entries), from: start)
    }

    private mutating func entry() throws(JQSyntaxError) -> JQSyntax.Entry {
        let start = range.lowerBound
        let key: JQSyntax
        var value: JQSyntax?
        switch token {
        case .variable(let name):
            let reference = try variable(name, start)
            if isSymbol(":") {
                key = reference
            } else {
                key = try literal(.text(name), in: start..<previousEnd)
                value = reference
            }
        case .name(let name), .keyword(let name):
            key = try literal(.text(name), in: range)
            try advance()
            value = try field(key, start)
        case .quote:
            key = try string(format: nil)
            value = try field(key, start)
        case .format(let name):
            try advance()
            guard token == .quote else { throw unexpected() }
            key = try string(format: name)
            value = try field(key, start)
        case .symbol("("):
            try advance()
            key = try pipe()
            try check(key: key)
            try expect(.symbol(")"), after: "after the key")
        case .number:
            throw JQSyntaxError("a key is a name, a string or in parentheses", at: range, help: "put it in quotes")
        default: throw unexpected()
        }
        if try accept(.symbol(":")) { value = try pipe(commas: false) }
        guard let value else { throw unexpected() }
        return JQSyntax.Entry(key: key, value: value)
    }

    /// A literal that cannot be a key is reported before the program runs.
    func check(key: JQSyntax) throws(JQSyntaxError) {
        guard case .literal(let value) = key.node, value.stringText == nil else { return }
        throw JQSyntaxError(
            "\(value.typeName) (\(value.compactText)) cannot be an object's key",
            at: key.range,
            help: "keys are strings: put it in quotes"
        )
    }

    private func field(_ key: JQSyntax, _ start: Int) throws(JQSyntaxError) -> JQSyntax {
        let identity = JQSyntax(node: .identity, range: start..<start, depth: 1)
        return try make(.index(identity, key: key), from: start)
    }
}
