/// What the text of a GraphQL query says about its variables and arguments, read word by word.
struct GraphQLWords {
    /// How often the text names each variable: once to declare it, and where it is used.
    private(set) var variables: [String: Int] = [:]
    private var words: [Substring] = []

    init(_ text: String) {
        var rest = Substring(text)
        while let first = rest.first {
            if first == "#" {
                rest = rest.drop { !$0.isNewline }
            } else if first == "\"" {
                rest = Self.afterText(rest)
            } else if Self.isWord(first) {
                let word = rest.prefix(while: Self.isWord)
                rest = rest.dropFirst(word.count)
                words.append(word)
                if word.first == "$" { variables[String(word.dropFirst()), default: 0] += 1 }
            } else {
                rest = rest.dropFirst()
                if first == ":" { words.append(":") }
            }
        }
    }

    /// The argument whose value is this number: `first` of `items(first: 50)`.
    func argument(equal number: String) -> String? {
        guard words.count > 2 else { return nil }
        return words.indices.dropFirst(2).first { words[$0] == number && words[$0 - 1] == ":" }.map {
            String(words[$0 - 2])
        }
    }

    private static func isWord(_ character: Character) -> Bool {
        character == "_" || character == "$" || character.isASCII && (character.isLetter || character.isNumber)
    }

    /// What follows a text in quotes, or in three.
    private static func afterText(_ text: Substring) -> Substring {
        let mark = text.hasPrefix("\"\"\"") ? "\"\"\"" : "\""
        var rest = text.dropFirst(mark.count)
        while !rest.isEmpty {
            if rest.first == "\\" {
                rest = rest.dropFirst(2)
            } else if rest.hasPrefix(mark) {
                return rest.dropFirst(mark.count)
            } else {
                rest = rest.dropFirst()
            }
        }
        return rest
    }
}
