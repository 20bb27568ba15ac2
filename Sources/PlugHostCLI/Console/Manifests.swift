internal import HostConfiguration
internal import PlugCore
internal import PlugManifest

/// Manifests for commands that need valid ones.
enum Manifests {
    /// The manifests that paths lead to: files, folders with a `plug.yaml`, and folders of such folders, whose plugs are ordered
    /// by name. A path that leads to none stays as it is, and reading it reports what is wrong.
    static func files(_ paths: [String]) -> [String] {
        paths.flatMap { path in
            let found = PlugPaths.manifests(at: path)
            return found.isEmpty ? [path] : found
        }
    }

    /// Reads a manifest; if it cannot be used, its findings go to stderr.
    ///
    /// - Parameter coverage: Records which members its programs meet when they run.
    /// - Throws: `PlugError` `manifest-missing`, `manifest-unreadable`, `manifest-invalid` (configuration).
    static func load(
        _ path: String,
        in context: CommandContext,
        coverage: ManifestCoverage? = nil
    ) throws(PlugError) -> Manifest {
        let result = try ManifestReader.load(path, fetchers: context.fetchers, coverage: coverage)
        // Warnings are for the plug's author, who has 'validate'; an hourly job would repeat them.
        if let manifest = result.manifest { return manifest }
        let printer = DiagnosticPrinter(path: result.source.path, text: result.source.text)
        for diagnostic in result.diagnostics { context.tell(diagnostic, by: printer) }
        let count = result.diagnostics.count { $0.severity == .error }
        throw PlugError(
            .manifestInvalid,
            "\(result.source.path) has \(count.counted("error"))",
            advice: "'plughost validate \(path)' shows them"
        )
    }
}
