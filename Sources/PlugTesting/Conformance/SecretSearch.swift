import PlugCore
import PlugFetch

/// Finds secrets in texts: as they are, percent-encoded, and in base64.
struct SecretSearch {
    private let words: [String]
    private let redactor: SecretWords

    init(_ secrets: [String]) {
        words = secrets.flatMap { secret in
            // The beginning of base64 depends on what stands before, its middle on the place modulo three only.
            let middles = (0..<3).compactMap { shift -> String? in
                let padded = Array(repeating: UInt8(ascii: "x"), count: shift) + Array(secret.utf8)
                let text = Base64.encoded(padded)
                let middle = text.dropFirst(shift == 0 ? 0 : 4).prefix(max(0, text.count - 12))
                return middle.count >= 12 ? String(middle) : nil
            }
            return [secret, FormText.encode(secret)] + middles
        }
        redactor = SecretWords(secrets)
    }

    /// Whether any of them stands in a text.
    func isMet(in text: String) -> Bool { words.contains { text.contains($0) } }

    /// The text without them.
    func shown(_ text: String) -> String { words.reduce(redactor.blotted(text)) { $0.replacing($1, with: "<secret>") } }
}
