internal import PlugCore
internal import PlugManifest

/// Manifests for commands that need them without mistakes.
enum Manifests {
    /// Reads a manifest; where it cannot be used, its findings go to stderr.
    ///
    /// - Throws: `PlugError` `manifest-missing`, `manifest-unreadable`, `manifest-invalid` (configuration).
    static func load(_ path: String, in context: CommandContext) throws(PlugError) -> Manifest {
        let result = try ManifestReader.load(path)
        // Warnings are for the plug's author, who has 'validate'; an hourly job would repeat them.
        if let manifest = result.manifest { return manifest }
        let printer = DiagnosticPrinter(path: result.source.path, text: result.source.text)
        for diagnostic in result.diagnostics { context.errors.write(printer.text(diagnostic)) }
        let count = result.diagnostics.count { $0.severity == .error }
        throw PlugError(
            .manifestInvalid,
            "\(result.source.path) has \(count == 1 ? "1 error" : "\(count) errors")",
            advice: "'plughost validate \(path)' shows them"
        )
    }
}
