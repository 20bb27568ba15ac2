import LosslessJSON

/// What `tonumber` reads: JSON numbers with their text, and what jq accepts besides (`+5`, `.5`, `5.`, `0012`, `nan`,
/// `-Infinity`).
enum NumberText {
    static func value(_ text: String) -> Value? {
        if let number = number(text) { return .literal(number) }
        guard text.utf8.count <= 9 else { return nil }
        let isNegative = text.hasPrefix("-")
        let word = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
        switch StringFunctions.mapASCII(String(word), { $0 &- 0x41 < 26 ? $0 + 0x20 : $0 }) {
        case "nan": return .double(.nan)
        case "inf", "infinity": return .double(isNegative ? -.infinity : .infinity)
        default: return nil
        }
    }

    static func number(_ text: String) -> JSONNumber? {
        if let number = JSONNumber(text) { return number }
        var rest = Substring(text)
        let sign = rest.hasPrefix("-") ? "-" : ""
        if rest.hasPrefix("-") || rest.hasPrefix("+") { rest.removeFirst() }
        let whole = digits(&rest)
        var fraction = Substring()
        if rest.hasPrefix(".") {
            rest.removeFirst()
            fraction = digits(&rest)
        }
        guard !whole.isEmpty || !fraction.isEmpty else { return nil }
        let significant = whole.drop { $0 == "0" }
        // The rest is an exponent or nothing, which the JSON grammar judges.
        return JSONNumber(
            sign + (significant.isEmpty ? "0" : significant) + (fraction.isEmpty ? "" : "." + fraction) + rest
        )
    }

    private static func digits(_ rest: inout Substring) -> Substring {
        let digits = rest.prefix { "0"..."9" ~= $0 }
        rest = rest.dropFirst(digits.count)
        return digits
    }
}
