internal import ArgumentParser
internal import PlugCore

/// `plughost validate`
struct ValidateCommand: RunnableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, github }

    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Finds all errors in a manifest, with their locations.",
        discussion: """
            Exit code 0 means that all manifests can be used, 78 that at least one
            cannot. Warnings do not change the exit code.

            Examples:
              plughost validate plug.yaml
              plughost validate Plugs
              plughost validate --format github Plugs    for a pull request

            With --format json each line is a finding: path, line, column, length,
            severity, code, message, help.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "A manifest, a folder with a plug.yaml, or a folder of such folders.",
            valueName: "path"
        )
    )
    var paths: [String]

    @Option(help: "The format of findings: text, json (one object per line) or github (annotations).")
    var format = Format.text

    var speaksJSON: Bool { format == .json }

    func run(in context: CommandContext) async throws -> ExitStatus {
        ManifestFindings(format: format, context: context).validate(paths)
    }
}
