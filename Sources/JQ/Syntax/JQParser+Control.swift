import LosslessJSON

extension JQParser {
    mutating func control(_ word: String, _ start: Int) throws(JQSyntaxError) -> JQSyntax {
        switch word {
        case "if": return try condition(start)
        case "try":
            try advance()
            let body = try nested { (parser) throws(JQSyntaxError) in try parser.postTerm() }
            var handler: JQSyntax?
            if try accept(.keyword("catch")) {
                handler = try nested { (parser) throws(JQSyntaxError) in try parser.postTerm() }
            }
            return try make(.trying(body, handler: handler), from: start)
        case "reduce", "foreach": return try fold(word, start)
        case "def":
            let definition = try definition()
            let rest = try pipe()
            return try make(.definition(definition, rest: rest), from: start)
        case "label": return try pipe()
        case "import", "include", "module":
            throw JQSyntaxError("modules are not available", at: range, help: "write the definitions into the program")
        default: throw unexpected()
        }
    }

    /// What `try` covers: a term with its suffixes.
    private mutating func postTerm() throws(JQSyntaxError) -> JQSyntax { try postfix() }

    private mutating func condition(_ start: Int) throws(JQSyntaxError) -> JQSyntax {
        var branches: [JQSyntax.Branch] = []
        repeat {
            try advance()
            let condition = try pipe()
            try expect(.keyword("then"), after: "after the condition")
            let body = try pipe()
            branches.append(JQSyntax.Branch(condition: condition, body: body))
        } while token == .keyword("elif")
        let otherwise = try accept(.keyword("else")) ? try pipe() : nil
        try expect(.keyword("end"), after: "to close 'if'")
        return try make(.condition(branches, otherwise: otherwise), from: start)
    }

    private mutating func fold(_ word: String, _ start: Int) throws(JQSyntaxError) -> JQSyntax {
        try advance()
        let source = try nested { (parser) throws(JQSyntaxError) in try parser.binary(0) }
        try expect(.keyword("as"), after: "after what '\(word)' runs over")
        let pattern = try pattern()
        try expect(.symbol("("), after: "after the pattern")
        let initial = try pipe()
        try expect(.symbol(";"), after: "after the initial value")
        let update = try pipe()
        var extract: JQSyntax?
        if word == "foreach", try accept(.symbol(";")) { extract = try pipe() }
        try expect(.symbol(")"), after: "to close '\(word)'")
        return try make(
            word == "reduce"
                ? .reduce(source, pattern, initial: initial, update: update)
                : .foreach(source, pattern, initial: initial, update: update, extract: extract),
            from: start
        )
    }

    // MARK: Patterns

    mutating func pattern() throws(JQSyntaxError) -> JQSyntax.Pattern {
        try nested { (parser) throws(JQSyntaxError) in try parser.patternUnchecked() }
    }

    private mutating func patternUnchecked() throws(JQSyntaxError) -> JQSyntax.Pattern {
        switch token {
        case .variable(let name):
            try advance()
            return .variable(name)
        case .symbol("["):
            try advance()
            var parts: [JQSyntax.Pattern] = []
            repeat { parts.append(try pattern()) } while try accept(.symbol(","))
            try expect(.symbol("]"), after: "after the pattern")
            return .array(parts)
        case .symbol("{"):
            try advance()
            var entries: [JQSyntax.PatternEntry] = []
            repeat { entries.append(try patternEntry()) } while try accept(.symbol(","))
            try expect(.symbol("}"), after: "after the pattern")
            return .object(entries)
        default: throw unexpected()
        }
    }

    private mutating func patternEntry() throws(JQSyntaxError) -> JQSyntax.PatternEntry {
        var variable: String?
        let key: JQSyntax
        switch token {
        case .variable(let name):
            variable = name
            key = try literal(.text(name), in: range)
            try advance()
        case .name(let name), .keyword(let name):
            key = try literal(.text(name), in: range)
            try advance()
        case .quote: key = try string(format: nil)
        case .symbol("("):
            try advance()
            key = try pipe()
            try check(key: key)
            try expect(.symbol(")"), after: "after the key")
        default: throw unexpected()
        }
        let inner = try accept(.symbol(":")) ? try pattern() : nil
        guard variable != nil || inner != nil else {
            throw JQSyntaxError("expected ':' and a pattern after the key, found \(token.name)", at: range)
        }
        return JQSyntax.PatternEntry(variable: variable, key: key, pattern: inner)
    }
}
