internal import CurlTransport

/// Texts that no message may show, blotted out wherever they stand.
///
/// A short one is also a part of ordinary words: `x` must not blot out every x. It counts only where it is a word of its
/// own, between characters that are neither letters nor digits.
package struct SecretWords: Sendable {
    /// How many characters a text needs to be found inside other words, too.
    package static let shortest = 4

    /// As they are and percent-encoded, longer ones first, so that no part of one stays.
    private let words: [String]

    /// The texts; empty ones are left out.
    package init(_ texts: [String]) {
        let texts = texts.filter { !$0.isEmpty }
        words = Set(texts + texts.map(HTTPURL.percentEncode)).sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
    }

    /// A text without them.
    package func blotted(_ text: String) -> String {
        words.reduce(text) { text, word in
            guard text.contains(word) else { return text }
            var output = ""
            var rest = text[...]
            while let found = rest.firstRange(of: word) {
                let (before, after) = (rest[..<found.lowerBound].last ?? output.last, rest[found.upperBound...].first)
                let isWord = !Self.isLetter(before) && !Self.isLetter(after)
                output += rest[..<found.lowerBound]
                output += word.count >= Self.shortest || isWord ? Self.blot : word
                rest = rest[found.upperBound...]
            }
            return output + rest
        }
    }

    private static let blot = "<redacted>"

    private static func isLetter(_ character: Character?) -> Bool {
        character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
    }
}
