/// What a program's text may name besides paths: `{symbol, date}`, `.["the name"]`.
enum ProgramWords {
    /// The words and the quoted texts, each once, in order.
    static func of(_ source: String, limit: Int = 30) -> [String] {
        let quoted = source.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
            .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
        let words = source.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }.map(String.init)
        var seen: Set<String> = []
        return Array((words + quoted).filter { !$0.isEmpty && seen.insert($0).inserted }.prefix(limit))
    }

    /// Whether a dot stands for the input: in `list.id` it does not.
    static func readsItsInput(_ source: String) -> Bool {
        var previous: Character = " "
        for character in source {
            if character == ".", !previous.isLetter, !previous.isNumber, !"_\")]".contains(previous) { return true }
            previous = character
        }
        return false
    }
}
