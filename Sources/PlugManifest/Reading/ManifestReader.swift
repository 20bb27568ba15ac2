public import PlugCore

/// Reads manifests: bytes, located tree, checks, model.
public enum ManifestReader {
    /// Reads a manifest from its bytes.
    ///
    /// - Parameters:
    ///   - path: The name for messages.
    ///   - text: The file's bytes.
    public static func read(path: String, text: [UInt8]) -> ManifestResult {
        ManifestResult(
            manifest: nil, diagnostics: [], source: ManifestSource(path: path, text: String(decoding: text, as: UTF8.self))
        )
    }
}
