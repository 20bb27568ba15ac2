import PlugCore

/// Texts for messages.
enum MessageText {
    /// `did you mean 'x'?`, or else the names there are.
    static func help(for word: String, in known: [String], called kind: String) -> String? {
        if let question = Spelling.question(word, in: known) { return question }
        return known.isEmpty ? "there are no \(kind)" : "the \(kind) are \(list(known))"
    }

    /// `a, b and c`, cut after twelve.
    static func list(_ names: [String], conjunction: String = "and") -> String {
        let shown = names.prefix(12)
        if names.count > shown.count { return shown.joined(separator: ", ") + " and \(names.count - shown.count) more" }
        guard let last = shown.last, shown.count > 1 else { return shown.first ?? "" }
        return shown.dropLast().joined(separator: ", ") + " \(conjunction) " + last
    }

    /// A text that is not too long for a message.
    static func shortened(_ text: String, to limit: Int = 40) -> String {
        text.count <= limit ? text : text.prefix(limit - 1) + "…"
    }

    /// Where the template that begins in a column ends: after the braces that close it, or else with its value.
    static func templateEnd(in line: [Unicode.Scalar], from start: Int) -> Int {
        var depth = 0
        for (index, scalar) in line[start...].enumerated() {
            if scalar == "{" { depth += 1 }
            if scalar == "}" { depth -= 1 }
            guard depth == 0 else { continue }
            // A path may go on after it: `{{ config.x }}/b`.
            let rest = line[(start + index + 1)...].prefix { ![" ", ",", "]", "}"].contains($0) }
            return rest.endIndex
        }
        return line.count
    }

    /// The column of a `{{` that no quote precedes on its line.
    static func unquotedTemplate(in line: [Unicode.Scalar]) -> Int? {
        var index = 0
        while index + 1 < line.count {
            if line[index] == "'" || line[index] == "\"" || line[index] == "#" { return nil }
            if line[index] == "{", line[index + 1] == "{" {
                let before = line[..<index].last { $0 != " " }
                return before == ":" || before == "-" || before == "," || before == "[" ? index : nil
            }
            index += 1
        }
        return nil
    }
}
