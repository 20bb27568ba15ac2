/// A text containing expressions, as a tree.
struct JinjaText {
    private enum Item {
        case text(String)
        case output(ArraySlice<Unicode.Scalar>)
        case statement(ArraySlice<Unicode.Scalar>)
    }

    private var items: [Item]
    private var at = 0

    /// The pieces of a text.
    ///
    /// - Throws: `Unsayable` for invalid Jinja, and for loops and macros, which have no counterpart here.
    static func pieces(of text: String) throws(Unsayable) -> [JinjaPiece] {
        guard text.contains("{{") || text.contains("{%") || text.contains("{#") else { return [.text(text)] }
        var reader = JinjaText(items: try items(of: Array(text.unicodeScalars)))
        let pieces = try reader.pieces(until: [])
        return pieces
    }

    private static func items(of scalars: [Unicode.Scalar]) throws(Unsayable) -> [Item] {
        var items: [Item] = []
        var (start, at) = (0, 0)
        var trims = false
        func text(_ range: Range<Int>, _ trimsEnd: Bool) -> Item {
            var text = scalars[range]
            if trims { text = text.drop { $0.properties.isWhitespace } }
            if trimsEnd { while text.last?.properties.isWhitespace == true { text = text.dropLast() } }
            return .text(JinjaLexer.string(text))
        }
        while at + 1 < scalars.count {
            guard scalars[at] == "{", ["{", "%", "#"].contains(scalars[at + 1]) else {
                at += 1
                continue
            }
            let kind = scalars[at + 1]
            guard let end = end(of: scalars, kind, from: at + 2) else {
                throw Unsayable("'{\(kind)' is not closed")
            }
            var inner = scalars[(at + 2)..<end]
            let trimsEnd = inner.first == "-"
            if trimsEnd { inner = inner.dropFirst() }
            if at > start { items.append(text(start..<at, trimsEnd)) }
            trims = inner.last == "-"
            if trims { inner = inner.dropLast() }
            if kind == "{" { items.append(.output(inner)) } else if kind == "%" { items.append(.statement(inner)) }
            at = end + 2
            start = at
        }
        if start < scalars.count { items.append(text(start..<scalars.count, false)) }
        return items
    }

    /// The position of `}}`, `%}` or `#}`, aware of texts and braces inside.
    private static func end(of scalars: [Unicode.Scalar], _ kind: Unicode.Scalar, from start: Int) -> Int? {
        let closing: Unicode.Scalar = kind == "{" ? "}" : kind
        var at = start
        var depth = 0
        var quote: Unicode.Scalar?
        while at + 1 < scalars.count {
            let scalar = scalars[at]
            if let open = quote, kind != "#" {
                if scalar == "\\" { at += 1 } else if scalar == open { quote = nil }
            } else if kind != "#", scalar == "'" || scalar == "\"" {
                quote = scalar
            } else if scalar == closing, scalars[at + 1] == "}", depth == 0 {
                return at
            } else if scalar == "{" {
                depth += 1
            } else if scalar == "}", depth > 0 {
                depth -= 1
            }
            at += 1
        }
        return nil
    }

    private mutating func pieces(until ends: [String]) throws(Unsayable) -> [JinjaPiece] {
        var pieces: [JinjaPiece] = []
        while at < items.count {
            switch items[at] {
            case .text(let text): if !text.isEmpty { pieces.append(.text(text)) }
            case .output(let scalars): pieces.append(.output(try JinjaParser.expression(in: scalars)))
            case .statement(let scalars):
                let (word, rest) = Self.word(of: scalars)
                if ends.contains(word) { return pieces }
                switch word {
                case "if":
                    pieces.append(try branches())
                case "set":
                    let (name, value) = Self.word(of: rest)
                    let assigned = value.drop { $0.properties.isWhitespace }
                    guard assigned.first == "=" else { throw Unsayable("'{% set %}' has no value") }
                    pieces.append(.set(name, try JinjaParser.expression(in: assigned.dropFirst())))
                default: throw Unsayable("'{% \(word) %}' has no counterpart")
                }
            }
            at += 1
        }
        if !ends.isEmpty { throw Unsayable("'{% if %}' has no end") }
        return pieces
    }

    /// From `if` to `endif`, which is then the current item.
    private mutating func branches() throws(Unsayable) -> JinjaPiece {
        var branches: [JinjaBranch] = []
        var otherwise: [JinjaPiece] = []
        while at < items.count, case .statement(let scalars) = items[at] {
            let (word, rest) = Self.word(of: scalars)
            at += 1
            if word == "endif" {
                at -= 1
                return .branches(branches, otherwise: otherwise)
            }
            let condition = word == "else" ? nil : try JinjaParser.expression(in: rest)
            let inner = try pieces(until: ["elif", "else", "endif"])
            if let condition {
                branches.append(JinjaBranch(condition: condition, pieces: inner))
            } else {
                otherwise = inner
            }
        }
        throw Unsayable("'{% if %}' has no end")
    }

    private static func word(of scalars: ArraySlice<Unicode.Scalar>) -> (String, ArraySlice<Unicode.Scalar>) {
        let text = scalars.drop { $0.properties.isWhitespace }
        let word = text.prefix { !$0.properties.isWhitespace && $0 != "=" && $0 != "(" }
        return (JinjaLexer.string(word), text.dropFirst(word.count))
    }
}
