/// Texts that messages must not quote from a service's responses.
package struct HiddenTexts: Sendable {
    /// Secrets that were sent.
    private let texts: [String]
    /// Removes anything else that the caller knows to be secret, such as configuration values and anything derived from them.
    private let redact: @Sendable (String) -> String

    /// Shorter texts occur in ordinary words.
    private static let shortest = 4

    /// - Parameters:
    ///   - texts: Secrets as they were sent.
    ///   - redact: Removes other secrets from a text.
    package init(_ texts: [String] = [], redact: @escaping @Sendable (String) -> String = { $0 }) {
        self.texts = texts
        self.redact = redact
    }

    /// The same with further secrets.
    func with(_ more: [String]) -> HiddenTexts { HiddenTexts(texts + more, redact: redact) }

    /// The text with the secrets removed.
    func removed(from text: String) -> String {
        var text = redact(text)
        for secret in texts where secret.utf8.count >= Self.shortest { text = text.replacing(secret, with: "…") }
        return text
    }
}
