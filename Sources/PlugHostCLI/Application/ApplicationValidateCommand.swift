internal import ArgumentParser
internal import PlugCore
internal import PlugManifest

/// `plughost application validate`
struct ApplicationValidateCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Checks the application against the strictest client and the PDA.",
        discussion: """
            Some apps silently hide an application that they cannot decode. A field that
            any known app needs is therefore an error if it is missing or has the wrong
            type. Exit code 0 means no errors, 78 that there are some. With --format
            json each line is a finding, as for 'validate'.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "A manifest, a folder with a plug.yaml, or a folder of such folders.",
            valueName: "path"
        )
    )
    var paths: [String]

    @OptionGroup var host: ApplicationHostOption

    @Option(help: "The format of findings: text, json (one object per line) or github (annotations).")
    var format = ValidateCommand.Format.text

    var speaksJSON: Bool { format == .json }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let base = try host.checkedBase()
        var isWell = true
        for path in Manifests.files(paths) {
            do throws(PlugError) {
                if try !isValid(Manifests.load(path, in: context), base, context) { isWell = false }
            } catch {
                context.tell(error, asJSON: format == .json)
                isWell = false
            }
        }
        return isWell ? .done : .configuration
    }

    /// Reports what is wrong with a plug's application.
    private func isValid(_ manifest: Manifest, _ base: String?, _ context: CommandContext) -> Bool {
        let (_, findings) = Applications.examined(manifest, base: base, .complete)
        ManifestFindings(format: format, context: context).tell(findings, in: manifest.source)
        let errors = findings.count { $0.severity == .error }
        if format == .text {
            let sum = errors == 0 ? "no problems" : errors.counted("error")
            context.errors.write("the application of '\(manifest.id)': \(sum)\n")
        }
        return errors == 0
    }
}
