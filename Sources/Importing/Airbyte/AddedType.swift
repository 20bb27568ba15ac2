/// `value_type`: the type of an added member. In Airbyte other values become texts.
enum AddedType {
    case any, string, integer, number, boolean

    init(_ text: String?) {
        switch text {
        case "string": self = .string
        case "integer": self = .integer
        case "number": self = .number
        case "boolean": self = .boolean
        default: self = .any
        }
    }

    /// Whether a constant is of this type; in Python a boolean is an integer, and an integer is not a floating-point number.
    func takes(_ constant: JinjaExpression) -> Bool {
        switch (self, constant) {
        case (.any, _), (.string, .text), (.integer, .bool), (.boolean, .bool): true
        case (_, .negative(let inner)): takes(inner)
        case (.integer, .number(let text)): !Self.hasPoint(text)
        case (.number, .number(let text)): Self.hasPoint(text)
        default: false
        }
    }

    private static func hasPoint(_ number: String) -> Bool { number.contains { ".eE".contains($0) } }

    /// A value converted to this type.
    ///
    /// - Parameter isJSON: Whether it was written as JSON, which Airbyte parses again.
    func applied(to value: JQText, isJSON: Bool) -> JQText {
        let point = "(tostring | test(\"[.eE]\"))"
        let isIt: String, read: String
        switch self {
        case .string: return JQText(text: value.asText, kind: .text)
        case .any:
            guard isJSON else { return value }
            // JSON's own constants are not Python's: such a text stays one.
            let odd = "[fromjson | .. | select(. == null or type == \"boolean\")] == []"
            return JQText(text: "(\(value.atom) | if \(odd) then fromjson else . end)")
        case .integer:
            isIt = "type == \"boolean\" or type == \"number\" and (\(point) | not)"
            read = #"if test("^-?(0|[1-9][0-9]*)$") then tonumber elif IN("True", "False") then . == "True" else . end"#
        case .number:
            isIt = "type == \"number\" and \(point)"
            read = #"if test("^-?[0-9]+([.][0-9]*([eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+)$") then tonumber else . end"#
        case .boolean:
            isIt = "type == \"boolean\""
            read = #"if IN("True", "False") then . == "True" else . end"#
        }
        let text = JQText(text: ".").asText
        return JQText(
            text:
                "(\(value.atom) | if \(isIt) then . elif type == \"string\" then (\(read)) else \(text) end)"
        )
    }
}

extension JinjaExpression {
    /// Whether it ends with `tojson`.
    var isJSON: Bool { if case .filter(_, "tojson", _) = self { true } else { false } }
}
