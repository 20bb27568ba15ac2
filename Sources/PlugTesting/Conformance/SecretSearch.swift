import PlugFetch

/// Finds secrets in texts: as they are, and in every form in which a service may repeat them.
struct SecretSearch {
    private let words: SecretWords

    init(_ secrets: [String]) { words = SecretWords(secrets, takesEncodings: true) }

    /// Whether any of them stands in a text.
    func isMet(in text: String) -> Bool { words.blotted(text) != text }

    /// The text without them.
    func shown(_ text: String) -> String { words.blotted(text) }
}
