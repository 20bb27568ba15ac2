/// The tokens of an expression.
enum JinjaToken: Equatable {
    case name(String)
    case text(String)
    case number(String)
    case symbol(String)
    case end
}

/// Splits an expression into tokens.
struct JinjaLexer {
    /// Longer expressions are refused as programs.
    private static let limit = 2_000
    private static let symbols = [
        "==", "!=", "<=", ">=", "//", "**", "(", ")", "[", "]", "{", "}", ".", ",", ":", "|", "~", "+", "-", "*", "/",
        "%", "<", ">", "=",
    ]

    /// - Throws: `Unsayable` if the text is not an expression, or is too long.
    static func tokens(of scalars: ArraySlice<Unicode.Scalar>) throws(Unsayable) -> [JinjaToken] {
        var tokens: [JinjaToken] = []
        var rest = scalars
        while let first = rest.first {
            if first.properties.isWhitespace {
                rest = rest.dropFirst()
            } else if first == "'" || first == "\"" {
                tokens.append(.text(try text(&rest, quote: first)))
            } else if ("0"..."9").contains(first) {
                tokens.append(.number(number(&rest)))
            } else if isName(first) {
                let name = rest.prefix { isName($0) || ("0"..."9").contains($0) }
                rest = rest.dropFirst(name.count)
                tokens.append(.name(Self.string(name)))
            } else {
                guard let symbol = symbols.first(where: { rest.starts(with: $0.unicodeScalars) }) else {
                    throw Unsayable("the expression has '\(first)', which begins nothing in Jinja")
                }
                rest = rest.dropFirst(symbol.count)
                tokens.append(.symbol(symbol))
            }
            if tokens.count > limit { throw Unsayable("the expression has more than \(limit) words") }
        }
        return tokens + [.end]
    }

    private static func text(_ rest: inout ArraySlice<Unicode.Scalar>, quote: Unicode.Scalar) throws(Unsayable)
        -> String
    {
        var text = String.UnicodeScalarView()
        rest = rest.dropFirst()
        while let scalar = rest.popFirst() {
            if scalar == quote { return String(text) }
            guard scalar == "\\", let next = rest.popFirst() else {
                text.append(scalar)
                continue
            }
            switch next {
            case "n": text.append("\n")
            case "t": text.append("\t")
            case "r": text.append("\r")
            case "\\", "'", "\"": text.append(next)
            default: text.append(contentsOf: ["\\", next])
            }
        }
        throw Unsayable("a text in the expression has no end")
    }

    private static func number(_ rest: inout ArraySlice<Unicode.Scalar>) -> String {
        var digits = rest.prefix { ("0"..."9").contains($0) || $0 == "_" }
        let after = rest.dropFirst(digits.count)
        if after.first == ".", let next = after.dropFirst().first, ("0"..."9").contains(next) {
            let fraction = after.dropFirst().prefix { ("0"..."9").contains($0) }
            digits = rest.prefix(digits.count + 1 + fraction.count)
        }
        rest = rest.dropFirst(digits.count)
        return string(digits).replacing("_", with: "")
    }

    private static func isName(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }

    static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String { String(String.UnicodeScalarView(scalars)) }
}
