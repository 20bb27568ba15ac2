/// Placeholders for words: of the same length and kinds of characters, the same for each occurrence, no two words' alike.
struct TokenMap {
    private var known: [String: String] = [:]
    private var taken: Set<String> = []
    private let chance: PlaceholderChance

    init(_ chance: PlaceholderChance) { self.chance = chance }

    private static let tries = 200
    private static let small = Array("abcdefghijklmnopqrstuvwxyz")
    private static let digits = Array("0123456789")
    private static let hexadecimal = Array("0123456789abcdef")
    /// Replacements for characters beyond ASCII, by the number of their bytes in UTF-8.
    private static let others: [Int: [Character]] = [2: Array("äéöüñøçå"), 3: Array("日本語文字例"), 4: Array("😀🎈🌲🍎🚲")]

    /// The placeholder of a word: a run of letters and digits.
    ///
    /// A word in capitals gets the capitalised placeholder of the lower-case word.
    mutating func placeholder(_ word: String) -> String {
        let small = word.lowercased()
        guard small.count == word.count else { return chosen(word) }
        let base = chosen(small)
        guard small != word, base.count == word.count else { return base }
        return String(zip(base, word).map { $1.isUppercase ? Self.capital($0) : $0 })
    }

    /// The capital of a letter; the letter itself if its capital is several characters, as with ß.
    private static func capital(_ letter: Character) -> Character {
        let capital = letter.uppercased()
        return capital.count == 1 ? capital.first ?? letter : letter
    }

    /// The placeholder of a UUID, which is a UUID of the same version.
    mutating func placeholder(uuid: String) -> String {
        var digits = Array(placeholder(uuid.filter { $0 != "-" }))
        guard digits.count == 32 else { return uuid }
        // The version and the variant (RFC 9562, sections 4.1 and 4.2) are in the first digits of the third and fourth parts.
        let own = Array(uuid.filter { $0 != "-" })
        for at in [12, 16] { digits[at] = own[at] }
        for dash in [20, 16, 12, 8] { digits.insert("-", at: dash) }
        return String(digits)
    }

    private mutating func chosen(_ word: String) -> String {
        if let known = known[word] { return known }
        let isHexadecimal =
            word.count >= 6 && word.allSatisfy { $0.isHexDigit && $0.isASCII } && word.contains(where: \.isNumber)
        var new = ""
        for attempt in 0..<Self.tries {
            var numbers = chance.numbers(for: word, try: attempt)
            new = String(
                word.enumerated().map { at, character in Self.other(character, isHexadecimal, at == 0, &numbers) }
            )
            // There are not enough of the shortest words for all.
            if new != word, !taken.contains(new) { break }
        }
        known[word] = new
        taken.insert(new)
        return new
    }

    private static func other(
        _ character: Character,
        _ isHexadecimal: Bool,
        _ isFirst: Bool,
        _ numbers: inout PlaceholderNumbers
    ) -> Character {
        func any(_ characters: [Character]) -> Character { characters.randomElement(using: &numbers) ?? character }
        if isHexadecimal { return any(isFirst && character != "0" ? Array(hexadecimal.dropFirst()) : hexadecimal) }
        if character.isASCII {
            if character.isNumber { return any(isFirst && character != "0" ? Array(digits.dropFirst()) : digits) }
            return any(small)
        }
        return any(others[character.utf8.count] ?? others[3] ?? [])
    }
}
