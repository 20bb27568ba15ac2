/// What no message may quote of a service's words.
package struct HiddenTexts: Sendable {
    /// What was sent and is secret.
    private let texts: [String]
    /// Removes what else whoever asks knows to be secret, such as a configuration's values and what was made of them.
    private let redact: @Sendable (String) -> String

    /// Shorter texts are parts of ordinary words.
    private static let shortest = 4

    /// - Parameters:
    ///   - texts: Secrets as they were sent.
    ///   - redact: Removes other secrets from a text.
    package init(_ texts: [String] = [], redact: @escaping @Sendable (String) -> String = { $0 }) {
        self.texts = texts
        self.redact = redact
    }

    /// The same, and some more.
    func with(_ more: [String]) -> HiddenTexts { HiddenTexts(texts + more, redact: redact) }

    /// A text without them.
    func removed(from text: String) -> String {
        var text = redact(text)
        for secret in texts where secret.utf8.count >= Self.shortest { text = text.replacing(secret, with: "…") }
        return text
    }
}
