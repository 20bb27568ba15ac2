import LosslessJSON

/// A piece of a jq program, and what is known of its output.
struct JQText: Equatable {
    /// The type of the output, if it is known.
    enum Kind { case unknown, text, number, bool, time, list, mapping, null }

    var text: String
    var kind = Kind.unknown
    /// Whether it can precede a `.` or a `|`, and be an operand, without parentheses.
    var isAtom = true

    /// The text for places that take only one value.
    var atom: String { isAtom ? text : "(\(text))" }

    /// The text as a jq string, whatever the output: nothing for null, `True` and `False` as Python writes them.
    var asText: String {
        switch kind {
        case .text: atom
        case .number: "(\(atom) | tostring)"
        case .time: "(\(atom) | time(\"\(JQText.pythonTime)\") | sub(\"[.]000000\"; \"\"))"
        // A setting may be unset.
        case .bool where text.hasPrefix("config."):
            "(if \(text) == null then \"\" elif \(text) then \"True\" else \"False\" end)"
        case .bool: "(if \(text) then \"True\" else \"False\" end)"
        case .null: "\"\""
        case .list, .mapping: "(\(atom) | tostring)"
        case .unknown:
            "(\(atom) | if type == \"boolean\" then (if . then \"True\" else \"False\" end) elif . == null then \"\" else tostring end)"
        }
    }

    /// The text that it returns for any input.
    var constant: String? {
        guard kind == .text, text.hasPrefix("\""), isAtom else { return nil }
        return (try? JSONValue(parsing: text))?.stringText
    }

    /// Whether it is a constant.
    var isConstant: Bool {
        constant != nil || kind == .number && (text.drop { $0 == "-" }).allSatisfy { $0.isNumber || $0 == "." }
    }

    /// Whether it is a constant that Python treats as both a truth value and a number.
    var isTruthNumber: Bool {
        kind == .number && ["0", "1"].contains(text) || kind == .bool && ["true", "false"].contains(text)
    }

    /// jq's name for its type, if that is text or a number.
    var jqType: String { kind == .number ? "number" : "string" }

    /// The format in which Python writes a time.
    static let pythonTime = "%Y-%m-%d %H:%M:%S.%f+00:00"

    /// A constant as a jq string.
    static func string(_ text: String) -> String { JSONValue.text(text).compactText }

    /// Texts that count as false if they are the whole output of a condition.
    static let falseTexts = #""False", "false", "0", "None""#

    /// The values that count as false in Jinja, as an argument of `IN`.
    static let empties = "null, false, 0, \"\", [], {}"
}
