/// Texts for messages.
enum Words {
    /// The known name that is meant, if one is near: within a third of its length.
    static func nearest(_ word: String, in known: some Sequence<String>) -> String? {
        let limit = max(1, (word.count + 1) / 3)
        var best: (name: String, distance: Int)?
        for name in known {
            let distance = distance(Array(word.lowercased()), Array(name.lowercased()), limit: limit)
            if distance <= limit, distance < best?.distance ?? .max { best = (name, distance) }
        }
        return best?.name
    }

    /// `did you mean 'x'?`, or else the names there are.
    static func help(for word: String, in known: [String], called kind: String) -> String? {
        if let nearest = nearest(word, in: known) { return "did you mean '\(nearest)'?" }
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

    /// Edits from one word to the other, a swap of neighbours counted once.
    private static func distance(_ left: [Character], _ right: [Character], limit: Int) -> Int {
        guard abs(left.count - right.count) <= limit else { return limit + 1 }
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var row = [i + 1]
            for (j, b) in right.enumerated() {
                var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a == b ? 0 : 1))
                if i > 0, j > 0, a == right[j - 1], left[i - 1] == b { cost = min(cost, beforeLast[j - 1] + 1) }
                row.append(cost)
            }
            (beforeLast, last) = (last, row)
        }
        return last[right.count]
    }
}
