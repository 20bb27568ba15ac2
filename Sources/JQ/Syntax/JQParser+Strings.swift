import LosslessJSON

extension JQParser {
    /// A string, from after its opening quote.
    mutating func string(format: String?) throws(JQSyntaxError) -> JQSyntax {
        let start = range.lowerBound
        var parts: [JQSyntax.Part] = []
        var text = String.UnicodeScalarView()
        var position = range.upperBound
        let source = lexer.source
        func scalar(_ offset: Int = 0) -> Unicode.Scalar? {
            position + offset < source.count ? source[position + offset] : nil
        }
        while scalar() != "\"" {
            guard let next = scalar() else {
                throw JQSyntaxError("the string is not closed", at: start..<start + 1)
            }
            position += 1
            guard next == "\\" else {
                text.append(next)
                continue
            }
            guard let escape = scalar() else { continue }
            position += 1
            if escape == "(" {
                parts.append(.text(String(text)))
                text = String.UnicodeScalarView()
                try resume(at: position)
                let program = try pipe()
                guard isSymbol(")") else { throw JQSyntaxError("expected ')' in the string", at: range) }
                parts.append(.program(program))
                position = range.upperBound
            } else if escape == "u" {
                text.append(try unicodeEscape(&position))
            } else if let plain = Self.escapes[escape] {
                text.append(plain)
            } else {
                throw JQSyntaxError("unknown escape '\\\(escape)'", at: position - 2..<position)
            }
        }
        try resume(at: position + 1)
        if parts.isEmpty { return try make(.literal(.text(String(text))), from: start) }
        if !text.isEmpty { parts.append(.text(String(text))) }
        return try make(.interpolation(format: format, parts), from: start)
    }

    private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
        "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t",
    ]

    private func unicodeEscape(_ position: inout Int) throws(JQSyntaxError) -> Unicode.Scalar {
        let start = position
        func unit() -> UInt32? {
            guard position + 4 <= lexer.source.count else { return nil }
            let digits = lexer.text(position..<position + 4)
            guard digits.utf8.allSatisfy({ UInt8(ascii: "0") <= $0 }), let unit = UInt32(digits, radix: 16) else {
                return nil
            }
            position += 4
            return unit
        }
        guard let first = unit() else {
            throw JQSyntaxError("'\\u' needs four hexadecimal digits", at: start - 2..<start)
        }
        guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) ?? "\u{FFFD}" }
        guard position + 6 <= lexer.source.count, lexer.text(position..<position + 2) == "\\u" else {
            return "\u{FFFD}"
        }
        let before = position
        position += 2
        guard let second = unit(), (0xDC00..<0xE000).contains(second) else {
            position = before
            return "\u{FFFD}"
        }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
    }
}
