internal import LosslessJSON
internal import PlugCore

/// How an explanation looks.
struct CodeText {
    let explanation: CodeExplanation
    /// What the code is about, such as `manifest`.
    let kind: String

    /// The code and the first sentence of its cause, within 80 columns; ends with a line break.
    var line: String {
        let cause = explanation.cause
        let end = cause.firstRange(of: ". ")?.lowerBound ?? cause.endIndex
        let sentence = String(cause[..<end].hasSuffix(".") ? cause[..<end].dropLast() : cause[..<end])
        let room = String(repeating: " ", count: max(1, 26 - explanation.code.utf8.count))
        return "  \(explanation.code)\(room)\(Self.wrapped(sentence, indentedBy: 28).drop { $0 == " " })\n"
    }

    /// Everything, within 80 columns.
    var text: String {
        var text = "\(explanation.code)\n\n\(Self.wrapped(explanation.cause))\n"
        if let exit = explanation.exit { text += "\nExit code: \(exit.rawValue)\n" }
        if let example = explanation.example { text += "\nExample:\n\(Self.indented(example))\n" }
        return text + "\nWhat to do:\n\(Self.wrapped(explanation.fix))\n"
    }

    /// `{"code", "kind", "cause", "example", "fix", "exit"}`
    var json: JSONValue {
        let members: [JSONObject.Member] = [
            ("code", .text(explanation.code)), ("kind", .text(kind)), ("cause", .text(explanation.cause)),
            ("example", explanation.example.map(JSONValue.text) ?? .null), ("fix", .text(explanation.fix)),
            ("exit", explanation.exit.map { .integer(Int($0.rawValue)) } ?? .null),
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
