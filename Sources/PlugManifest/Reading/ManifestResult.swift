package import PlugCore

/// The result of reading a manifest: the manifest if it has no error, and all findings.
package struct ManifestResult: Sendable {
    /// The manifest; `nil` if any diagnostic is an error.
    package var manifest: Manifest?
    /// Every finding, sorted by position.
    package var diagnostics: [Diagnostic]
    /// The file, for printing.
    package var source: ManifestSource

    /// Whether any diagnostic is an error.
    package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}
