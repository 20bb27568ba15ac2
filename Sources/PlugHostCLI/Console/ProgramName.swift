/// The name of this program in texts that people copy: a package with its own fetchers builds one with another name.
struct ProgramName {
    static let defaultName = "plughost"
    let name: String

    /// A text in which commands begin with this program's name.
    func shown(_ text: String) -> String {
        if name == Self.defaultName { return text }
        var shown = ""
        var rest = text[...]
        while let found = rest.firstRange(of: Self.defaultName) {
            shown += rest[..<found.lowerBound]
            let isCommand = Self.mayStandBefore(shown.last) && Self.beginsArguments(rest[found.upperBound...])
            shown += isCommand ? name[...] : rest[found]
            rest = rest[found.upperBound...]
        }
        return shown + rest
    }

    private static func mayStandBefore(_ character: Character?) -> Bool {
        guard let character else { return true }
        return character.isWhitespace || "'\"($`".contains(character)
    }

    /// Whether a command's words follow the name: `plughost run`, and not `plughost 0.1.0` or `plughost.yaml`.
    private static func beginsArguments(_ rest: Substring) -> Bool {
        guard rest.first == " ", let next = rest.dropFirst().first else { return false }
        return next.isLetter && next.isLowercase || "<[-".contains(next)
    }
}
