internal import LosslessJSON
internal import PlugCore

/// The text and JSON forms of an explanation.
struct CodeText {
    let code: PlugError.Code
    /// The topic of the code, such as `manifest`.
    let kind: String

    /// The code and the first sentence of its cause, within 80 columns; ends with a line break.
    var line: String {
        let cause = code.cause
        let end = cause.firstRange(of: ". ")?.lowerBound ?? cause.endIndex
        let sentence = String(cause[..<end].hasSuffix(".") ? cause[..<end].dropLast() : cause[..<end])
        let room = String(repeating: " ", count: max(1, 26 - code.text.utf8.count))
        return "  \(code.text)\(room)\(Self.wrapped(sentence, indentedBy: 28).drop { $0 == " " })\n"
    }

    /// Everything, within 80 columns.
    var text: String {
        var text = "\(code.text)\n\n\(Self.wrapped(code.cause))\n"
        if let exit = code.exit { text += "\nExit code: \(exit.rawValue)\n" }
        if let example = code.example { text += "\nExample:\n\(Self.indented(example))\n" }
        return text + "\nWhat to do:\n\(Self.wrapped(code.fix))\n"
    }

    /// `{"code", "kind", "cause", "example", "fix", "exit"}`
    var json: JSONValue {
        let members: [JSONObject.Member] = [
            ("code", .text(code.text)), ("kind", .text(kind)), ("cause", .text(code.cause)),
            ("example", code.example.map(JSONValue.text) ?? .null), ("fix", .text(code.fix)),
            ("exit", code.exit.map { .integer(Int($0.rawValue)) } ?? .null),
        ]
        return .object(JSONObject(members))
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }.joined(separator: "\n")
    }

    /// Words in lines of at most 80 columns.
    private static func wrapped(_ text: String, indentedBy width: Int = 2) -> String {
        let margin = String(repeating: " ", count: width - 1)
        var lines: [String] = []
        var line = margin
        for word in text.split(separator: " ") {
            if line.count + 1 + word.count > 80, line != margin {
                lines.append(line)
                line = margin
            }
            line += " \(word)"
        }
        return (lines + [line]).joined(separator: "\n")
    }
}
