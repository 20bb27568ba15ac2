import PlugManifest

/// How Airbyte reads a text that an expression or a manifest gives: as a Python constant, if it is one.
enum PythonLiteral {
    /// The constant that a text represents; `nil` for a text that stays one.
    static func expression(_ text: String) -> JinjaExpression? {
        switch text {
        case "True": return .bool(true)
        case "False": return .bool(false)
        case "None": return JinjaExpression.none
        default: break
        }
        let text = String(text.drop { $0 == " " || $0 == "\t" })
        if let number = number(text) { return number }
        // JSON's words are not Python constants.
        if text.contains(#/\b(true|false|null|none)\b/#) { return nil }
        guard let first = text.first, "[{'\"".contains(first),
            let parsed = try? JinjaParser.expression(in: Array(text.unicodeScalars)[...]), isConstant(parsed)
        else { return nil }
        return parsed
    }

    /// The constant that a YAML scalar represents, as Airbyte's parser reads it (YAML 1.1).
    static func expression(_ scalar: YAMLScalar) -> JinjaExpression? {
        guard scalar.isPlain else { return nil }
        switch scalar.text {
        case "", "~", "null", "Null", "NULL": return JinjaExpression.none
        default: break
        }
        let word = scalar.text.lowercased()
        let isWord = [word, word.uppercased(), word.prefix(1).uppercased() + word.dropFirst()].contains(scalar.text)
        if isWord, ["yes", "true", "on"].contains(word) { return .bool(true) }
        if isWord, ["no", "false", "off"].contains(word) { return .bool(false) }
        return number(scalar.text)
    }

    private static func isConstant(_ expression: JinjaExpression) -> Bool {
        switch expression {
        case .text, .number, .bool, .none: true
        case .negative(let inner): isConstant(inner)
        case .list(let elements): elements.allSatisfy(isConstant)
        case .mapping(let pairs): pairs.allSatisfy { isConstant($0.key) && isConstant($0.value) }
        default: false
        }
    }

    /// A Python number, as written in JSON: `1_000` is 1000, `0x10` is 16, `1e3` is 1000.0.
    private static func number(_ text: String) -> JinjaExpression? {
        let isNegative = text.hasPrefix("-")
        let digits = String(text.drop { $0 == "-" || $0 == "+" })
        guard text.count - digits.count <= 1, let first = digits.first, first.isASCII, first.isNumber || first == ".",
            digits.last != "_", !digits.contains("__")
        else { return nil }
        guard let json = positive(digits.filter { $0 != "_" }) else { return nil }
        return isNegative ? .negative(.number(json)) : .number(json)
    }

    private static func positive(_ digits: String) -> String? {
        for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where digits.lowercased().hasPrefix(prefix) {
            return Int(digits.dropFirst(2), radix: radix).map(String.init)
        }
        if digits.allSatisfy({ $0.isASCII && $0.isNumber }) {
            return digits.hasPrefix("0") && digits.count > 1 ? nil : digits
        }
        guard digits.allSatisfy({ "0123456789.eE+-".contains($0) }), let value = Double(digits), value.isFinite else {
            return nil
        }
        return "\(value)"
    }
}
