internal import PlugCore
internal import PlugManifest

/// Reports the findings about manifests: findings on stdout, the total on stderr.
struct ManifestFindings {
    let format: ValidateCommand.Format
    let context: CommandContext

    func validate(_ paths: [String]) -> ExitStatus {
        var (errors, warnings, unreadable) = (0, 0, 0)
        let files = Manifests.files(paths)
        for path in files {
            do {
                var result = try ManifestReader.load(path, fetchers: context.fetchers)
                if let manifest = result.manifest { result.diagnostics += PlugDirectory.unlisted(manifest) }
                tell(result)
                errors += result.diagnostics.count { $0.severity == .error }
                warnings += result.diagnostics.count { $0.severity == .warning }
            } catch {
                unreadable += 1
                context.tell(error, asJSON: format == .json)
            }
        }
        if format == .text { tellSum(files.count, errors, warnings, unreadable) }
        return errors + unreadable == 0 ? .done : .configuration
    }

    /// The findings of one manifest.
    func tell(_ result: ManifestResult) { tell(result.diagnostics, in: result.source) }

    /// Findings about a manifest.
    func tell(_ diagnostics: [Diagnostic], in source: ManifestSource) {
        tell(diagnostics, by: DiagnosticPrinter(path: source.path, text: source.text))
    }

    /// Findings about any file.
    func tell(_ diagnostics: [Diagnostic], by printer: DiagnosticPrinter) {
        for diagnostic in diagnostics {
            switch format {
            case .text: context.output.write(printer.text(diagnostic))
            case .json: context.answer(printer.json(diagnostic))
            case .github: context.output.write(printer.github(diagnostic))
            }
        }
        context.output.flush()
    }

    private func tellSum(_ manifests: Int, _ errors: Int, _ warnings: Int, _ unreadable: Int) {
        let subject = manifests.counted("manifest")
        var parts: [String] = []
        if unreadable > 0 { parts.append("\(unreadable) unreadable") }
        if errors > 0 { parts.append(errors.counted("error")) }
        if warnings > 0 { parts.append(warnings.counted("warning")) }
        let sum = parts.isEmpty ? "no problems" : parts.joined(separator: ", ")
        context.errors.write("\(subject): \(sum)\n")
        if errors > 0 { context.errors.write("'plughost explain CODE' explains a code\n") }
    }
}
