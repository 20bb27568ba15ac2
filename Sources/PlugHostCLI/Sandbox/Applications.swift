internal import LosslessJSON
internal import PlugCore
internal import PlugManifest

/// Manifests as the applications that a sandbox resolves.
enum Applications {
    /// The definition of a manifest; what clients could not decode is told.
    ///
    /// - Throws: `PlugError` `application-invalid` (configuration).
    static func definition(of manifest: Manifest, in context: CommandContext) throws(PlugError) -> JSONValue {
        let (definition, diagnostics) = ApplicationDefinition.build(manifest, base: nil)
        let errors = diagnostics.filter { $0.severity == .error }
        guard !errors.isEmpty else { return definition }
        let printer = DiagnosticPrinter(path: manifest.source.path, text: manifest.source.text)
        for diagnostic in errors { context.errors.write(printer.text(diagnostic)) }
        throw PlugError(
            "application-invalid",
            exit: .configuration,
            "the application of '\(manifest.id)' would not be shown by a PDA's clients",
            advice: "mend 'application' in \(manifest.source.path)"
        )
    }
}
