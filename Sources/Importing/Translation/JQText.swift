import LosslessJSON

/// A piece of a jq program, and what is known of its outcome.
struct JQText: Equatable {
    /// What an outcome is, where that is known.
    enum Kind { case unknown, text, number, bool, time, list, mapping, null }

    var text: String
    var kind = Kind.unknown
    /// Whether it can stand before a `.` or a `|` and beside an operator as it is.
    var isAtom = true

    /// The text where only one value may stand.
    var atom: String { isAtom ? text : "(\(text))" }

    /// The text as a string of jq, also where the outcome is another value: nothing for null.
    var asText: String {
        switch kind {
        case .text: atom
        case .number: "(\(atom) | tostring)"
        case .time: "(\(atom) | time(\"\(JQText.pythonTime)\"))"
        case .bool: "(if \(text) then \"True\" else \"False\" end)"
        default: "(\(atom) // \"\" | tostring)"
        }
    }

    /// The text that it gives whatever the input is.
    var constant: String? {
        guard kind == .text, text.hasPrefix("\""), isAtom else { return nil }
        return (try? JSONValue(parsing: text))?.stringText
    }

    /// How Python writes a time.
    static let pythonTime = "%Y-%m-%d %H:%M:%S.%f+00:00"

    /// A constant.
    static func string(_ text: String) -> String { JSONValue.text(text).compactText }

    /// `.name`, or `.["na-me"]`, behind something.
    static func step(_ key: String) -> String {
        let isName =
            key.unicodeScalars.allSatisfy {
                $0 == "_" || ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0)
            } && key.first.map { !$0.isNumber } == true
        return isName ? ".\(key)" : "[\(string(key))]"
    }

    /// The members at a path, from the input on: `.a["b-c"]`.
    static func path(_ keys: [String]) -> String {
        let text = keys.map(step).joined()
        return text.hasPrefix(".") ? text : "." + text
    }

    /// What counts as false in Jinja, as an argument of `IN`.
    static let empties = "null, false, 0, \"\", [], {}"
}
