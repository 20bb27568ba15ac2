import LosslessJSON
import PlugFetch
import PlugManifest

/// Keeps a fixture's secrets out of reports: they should be placeholders, but may not be.
struct SecretRedactor {
    private let secrets: SecretWords

    init(_ manifest: Manifest, _ config: JSONObject) {
        let values = manifest.config.filter(\.isSecret).compactMap { config[JSONString($0.name)] }
        secrets = SecretWords(values.map { $0.stringText ?? $0.compactText })
    }

    /// The text without secrets.
    func shown(_ text: String) -> String { secrets.blotted(text) }
}
