/// `--arg NAME VALUE` takes two words, as in jq; the parser supports only options with one.
enum JQArguments {
    /// For `plughost jq`, `--arg NAME VALUE` becomes `--arg=NAME=VALUE`, and so does `--argjson`. A name has no `=`.
    static func joined(_ arguments: [String]) -> [String] {
        guard arguments.first == "jq" else { return arguments }
        var joined: [String] = []
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if word == "--" { return joined + [word] + rest }
            if word == "--arg" || word == "--argjson", rest.count >= 2 {
                joined.append("\(word)=\(rest.removeFirst())=\(rest.removeFirst())")
            } else {
                joined.append(isFilter(word) ? " " + word : word)
            }
        }
        return joined
    }

    /// Whether a word that begins with a dash is a filter such as `-1|.`: the parser accepts one that follows a space.
    private static func isFilter(_ word: String) -> Bool {
        guard let second = word.unicodeScalars.dropFirst().first, word.hasPrefix("-") else { return false }
        return second != "-" && !second.properties.isAlphabetic
    }
}
