internal import LosslessJSON

/// An answer's body, in its form in a fixture.
enum CleanBody {
    case json(JSONValue)
    case text(String)
    case none
}

extension Placeholders {
    /// A body with placeholders; `nil` for one that is not text, which cannot be checked.
    func body(_ bytes: [UInt8], type: String) -> CleanBody? {
        if bytes.isEmpty { return CleanBody.none }
        if let value = try? JSONValue(parsing: bytes) {
            let new = json(value, at: "", member: nil)
            // If answers are decoded line by line, a value may be one line of several: pretty-printed, it would be many.
            let endsLine = bytes.last == UInt8(ascii: "\n")
            let isLine = keepsLines && (endsLine || !type.contains("application/json"))
            return isLine ? .text(new.compactText + (endsLine ? "\n" : "")) : .json(new)
        }
        guard let text = String(validating: bytes, as: UTF8.self), !text.unicodeScalars.contains("\0") else {
            return nil
        }
        // Not by characters: a carriage return with a line feed is one.
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        let start = text.drop(while: \.isWhitespace)
        if start.hasPrefix("{"), let values = jsonLines(lines) { return .text(values) }
        if start.hasPrefix("<") { return .text(markup(text)) }
        if start.hasPrefix("BEGIN:") { return .text(calendar(lines)) }
        if type.contains("csv") || type.contains("tab-separated") || isTable(lines) { return .text(table(lines)) }
        if type.contains("form-urlencoded") { return .text(query(text)) }
        return .text(lines.map { plain($0) }.joined(separator: "\n"))
    }

    /// A line in an unknown format: of broken JSON, of a message.
    private func plain(_ line: String) -> String {
        guard !line.contains("://"), !looksSecret(line) else { return hidden(line) }
        return words(of: line, keepingKnown: false)
    }

    private func isTable(_ lines: [String]) -> Bool {
        guard lines.count > 1, let first = lines.first else { return false }
        return [",", ";", "\t"].contains { sign in
            let count = first.split(separator: sign, omittingEmptySubsequences: false).count
            return count > 2 && lines[1].split(separator: sign, omittingEmptySubsequences: false).count == count
        }
    }

    /// Rows of cells: those of the first row are names.
    private func table(_ lines: [String]) -> String {
        let separators = Set<Character>([",", ";", "\t", "\"", "\r"])
        func cells(_ line: String, _ change: (String) -> String) -> String {
            var output = ""
            var cell = ""
            for character in line + "\r" {
                guard separators.contains(character) else {
                    cell.append(character)
                    continue
                }
                output += (cell.isEmpty ? "" : change(cell)) + String(character)
                cell = ""
            }
            return String(output.dropLast())
        }
        return lines.enumerated().map { number, line in
            if isLooking, number > 0 { names.noteObject(at: "table") }
            return cells(line) { number == 0 ? self.name($0, at: "table") : self.text($0, member: nil) }
        }.joined(separator: "\n")
    }
}
