import PlugCore

/// Texts for messages.
package enum MessageText {
    /// `did you mean 'x'?`, or else the known names.
    static func help(for word: String, in known: [String], called kind: String) -> String? {
        if let question = Spelling.question(word, in: known) { return question }
        // `authorization_code` for `code`.
        let parts = word.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
        let meant = known.filter(parts.contains).map { "'\($0)'" }
        if parts.count > 1, !meant.isEmpty { return "did you mean \(list(meant, conjunction: "or"))?" }
        return known.isEmpty ? "there are no \(kind)" : "the \(kind) are \(list(known))"
    }

    /// `a, b and c`, cut after twelve.
    package static func list(_ names: [String], conjunction: String = "and") -> String {
        let shown = names.prefix(12)
        if names.count > shown.count { return shown.joined(separator: ", ") + " and \(names.count - shown.count) more" }
        guard let last = shown.last, shown.count > 1 else { return shown.first ?? "" }
        return shown.dropLast().joined(separator: ", ") + " \(conjunction) " + last
    }

    /// A text for YAML flow style: quoted if it contains anything that YAML might interpret.
    static func flowScalar(_ text: String) -> String {
        let text = shortened(text)
        let isPlain = text.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || "0123456789_-./".unicodeScalars.contains($0)
        }
        return isPlain && !text.isEmpty && text.first != "-" ? text : "'\(text.replacing("'", with: "''"))'"
    }

    /// A key in quotes, or `this` if it may hold a secret.
    package static func key(_ text: String, isSecret: Bool) -> String { isSecret ? "this" : "'\(shortened(text))'" }

    /// Whether a text contains only letters, digits, hyphens and underscores.
    package static func isWord(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            0x61...0x7A ~= byte | 0x20 || 0x30...0x39 ~= byte || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
    }

    /// A text shortened to fit a message.
    package static func shortened(_ text: String, to limit: Int = 40) -> String {
        text.count <= limit ? text : text.prefix(limit - 1) + "…"
    }

    /// Where the template that begins in a column ends: after its closing braces, or else with its value.
    static func templateEnd(in line: [Unicode.Scalar], from start: Int) -> Int {
        var depth = 0
        for (index, scalar) in line[start...].enumerated() {
            if scalar == "{" { depth += 1 }
            guard scalar == "}" else { continue }
            depth -= 1
            guard depth == 0 else { continue }
            // A path may continue after it: `{{ config.x }}/b`.
            let rest = line[(start + index + 1)...].prefix { ![" ", ",", "]", "}"].contains($0) }
            return rest.endIndex
        }
        return line.count
    }

    /// The column of the value with the first `{{` of a line that is not in quotes or a comment.
    static func unquotedTemplate(in line: [Unicode.Scalar]) -> Int? {
        // Where the current value begins; `nil` between values.
        var start: Int?
        var index = 0
        while index + 1 < line.count {
            let (scalar, next) = (line[index], line[index + 1])
            switch scalar {
            case "{" where next == "{": return start ?? index
            case "'", "\"":
                // Inside a value a quote is an ordinary character.
                if start != nil { break }
                guard let end = line[(index + 1)...].firstIndex(of: scalar) else { return nil }
                index = end
            case "#" where index == 0 || line[index - 1] == " ": return nil
            case ":" where next == " ", "-" where next == " " && start == nil: start = nil
            case ",", "[", "]", "{", "}": start = nil
            case " ": break
            default: start = start ?? index
            }
            index += 1
        }
        return nil
    }
}
