internal import CurlTransport
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest

/// Manifests as the applications that PDAs list.
enum Applications {
    /// How complete a manifest's description must be.
    enum Demand {
        /// What clients need to decode it at all.
        case decodable
        /// Also what an owner must see: nothing of `application` may be missing.
        case complete
    }

    /// The definition of a manifest: the bare Application.
    ///
    /// - Parameter base: The address at which a host serves the plug; `nil` if none does.
    /// - Throws: `PlugError` `application-invalid` (configuration), after its findings have been printed on stderr.
    static func definition(
        of manifest: Manifest,
        base: String? = nil,
        _ demand: Demand,
        in context: CommandContext
    ) throws(PlugError) -> JSONValue {
        let (definition, findings) = examined(manifest, base: base, demand)
        let errors = findings.filter { $0.severity == .error }
        guard !errors.isEmpty else { return definition }
        let printer = DiagnosticPrinter(path: manifest.source.path, text: manifest.source.text)
        for diagnostic in errors { context.errors.write(printer.text(diagnostic)) }
        throw PlugError(
            .applicationInvalid,
            "the application of '\(manifest.id)' cannot be shown to an owner",
            advice: "correct 'application' in \(manifest.source.path)"
        )
    }

    /// The definition, with all findings about it.
    static func examined(
        _ manifest: Manifest,
        base: String?,
        _ demand: Demand
    ) -> (definition: JSONValue, findings: [Diagnostic]) {
        let (definition, findings) = ApplicationDefinition.build(manifest, base: base)
        return (
            definition,
            findings.map { finding in
                guard demand == .complete, ApplicationDefinition.isAboutAMissingMember(finding) else { return finding }
                var finding = finding
                finding.severity = .error
                return finding
            }
        )
    }
}
