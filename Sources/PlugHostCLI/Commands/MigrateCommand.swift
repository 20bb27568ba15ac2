internal import ArgumentParser
internal import PlugCore
internal import PlugManifest

/// `plughost migrate`
struct MigrateCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Brings a manifest to the newest version of the language.",
        discussion: """
            Prints the new manifest, or with --write replaces the old one. Comments and
            order stay as they are. Changes are reported on stderr.

            A manifest of the newest version is printed as it is: new keys need no new
            version, and old manifests stay valid.

            Examples:
              plughost migrate plug.yaml
              plughost migrate --write Plugs/weather
            """
    )

    @Argument(help: ArgumentHelp("A manifest, or a folder with a plug.yaml.", valueName: "path"))
    var path: String

    @Flag(help: "Write the new manifest to the file.")
    var write = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        let file = try ManifestReader.file(path)
        let migration = try ManifestMigration(of: file.text, path: file.path)
        let printer = DiagnosticPrinter(path: file.path, text: String(decoding: file.text, as: UTF8.self))
        for finding in migration.findings { context.errors.write(printer.text(finding)) }
        let remains = migration.findings.contains { $0.severity == .error }
        if migration.from == migration.to {
            context.errors.write("\(file.path) is in the newest version already: api: \(migration.to)\n")
        } else {
            context.errors.write("\(file.path): from api: \(migration.from) to api: \(migration.to)\n")
        }
        if !write {
            context.output.write(migration.text)
        } else if migration.from != migration.to {
            try Files.write(migration.text, to: file.path)
        }
        return remains ? .configuration : .done
    }
}
