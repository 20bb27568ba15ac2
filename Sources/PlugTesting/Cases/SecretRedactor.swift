import CurlTransport
import LosslessJSON
import PlugManifest

/// Keeps what a fixture gives for a secret out of reports: a placeholder should stand there, but somebody will forget.
struct SecretRedactor {
    private let secrets: [String]

    init(_ manifest: Manifest, _ config: JSONObject) {
        let values = manifest.config.filter(\.isSecret).compactMap { config[JSONString($0.name)] }
        let texts = values.map { $0.stringText ?? $0.compactText }.filter { !$0.isEmpty }
        // Longer ones first, so that no part of one stays.
        secrets = Set(texts + texts.map(HTTPURL.percentEncode)).sorted { ($0.count, $0) > ($1.count, $1) }
    }

    /// The text without secrets. A short one counts only where it is a word of its own: `x` must not blot out every x.
    func shown(_ text: String) -> String {
        secrets.reduce(text) { text, secret in
            var output = ""
            var rest = text[...]
            while let found = rest.firstRange(of: secret) {
                let before = rest[..<found.lowerBound].last ?? output.last
                let after = rest[found.upperBound...].first
                let isWord = !Self.isLetter(before) && !Self.isLetter(after)
                output += rest[..<found.lowerBound]
                output += secret.utf8.count >= 4 || isWord ? "<redacted>" : secret
                rest = rest[found.upperBound...]
            }
            return output + rest
        }
    }

    private static func isLetter(_ character: Character?) -> Bool {
        character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
    }
}
