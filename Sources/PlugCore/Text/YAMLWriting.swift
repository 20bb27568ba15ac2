internal import LosslessJSON

/// Scalars of YAML as plughost writes them into manifests, including those inside `[…]` and `{…}`.
package enum YAMLWriting {
    /// What a reader may read as a boolean, a number or null.
    private static let words: Set<String> = [
        "", "true", "false", "null", "yes", "no", "on", "off", "~", "y", "n", ".inf", ".nan",
    ]

    /// A key.
    package static func key(_ text: String) -> String { text == "on" || isPlain(text, "._-") ? text : quoted(text) }

    /// A text: plain if every reader reads it unchanged.
    package static func text(_ text: String) -> String { isPlain(text, "./_- ") ? text : quoted(text) }

    /// A jq program: plain if it is a path, else in quotes.
    package static func program(_ text: String) -> String {
        if text == "." || isPlain(text, "._") { return text }
        // One line in single quotes is easier to read than escapes.
        let isLine = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && $0.value < 0x80 }
        return isLine ? "'\(text.replacing("'", with: "''"))'" : quoted(text)
    }

    /// A text in quotes: single ones if they leave it unchanged.
    package static func quoted(_ text: String) -> String {
        let isLine = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && $0.value < 0x80 }
        if isLine, text.contains("\"") || text.contains("\\") { return "'\(text.replacing("'", with: "''"))'" }
        return JSONValue.text(text).compactText
    }

    private static func isPlain(_ text: String, _ others: String) -> Bool {
        guard !words.contains(text.lowercased()), let first = text.unicodeScalars.first else { return false }
        let allowed = Set(others.unicodeScalars)
        // `.5` is a number.
        let afterDot = text.unicodeScalars.dropFirst().first.map { isLetter($0) || $0 == "_" || $0 == "/" } ?? false
        let starts = isLetter(first) || first == "/" || (first == "." && afterDot)
        return starts && text.last != " " && !text.contains("  ")
            && text.unicodeScalars.allSatisfy { isLetter($0) || ("0"..."9").contains($0) || allowed.contains($0) }
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
    }
}
