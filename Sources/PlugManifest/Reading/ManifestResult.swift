public import PlugCore

/// What reading a manifest gave: the manifest if it has no error, and everything there is to say about it.
public struct ManifestResult: Sendable {
    /// The manifest; `nil` if any diagnostic is an error.
    public var manifest: Manifest?
    /// Every finding, sorted by position.
    public var diagnostics: [Diagnostic]
    /// The file, for printing.
    public var source: ManifestSource

    /// Whether any diagnostic is an error.
    public var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}
