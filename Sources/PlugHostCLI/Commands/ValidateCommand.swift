internal import ArgumentParser
internal import PlugCore

/// `plughost validate`
struct ValidateCommand: HostCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, github }

    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Finds every mistake of a manifest, and where it is.",
        discussion: """
            Exit code 0 means that all manifests can be used, 78 that one cannot.
            Warnings do not change it.

            Examples:
              plughost validate plug.yaml
              plughost validate Plugs/*/
              plughost validate --format github Plugs/*/    for a pull request

            With --format json each line is a finding: path, line, column, length,
            severity, code, message, help.
            """
    )

    @Argument(help: ArgumentHelp("A manifest, or a folder with a plug.yaml.", valueName: "path"))
    var paths: [String]

    @Option(help: "How findings look: text, json (one object a line) or github (annotations).")
    var format = Format.text

    var speaksJSON: Bool { format == .json }

    func run(in context: CommandContext) async throws -> ExitStatus {
        ManifestFindings(format: format, context: context).validate(paths)
    }
}
