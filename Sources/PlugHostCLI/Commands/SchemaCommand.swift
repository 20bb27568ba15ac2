internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest

/// `plughost schema`
struct SchemaCommand: HostCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable { case json, markdown }

    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Prints the keys of the manifest: a JSON Schema for editors, or the reference.",
        discussion: """
            Save the schema, and begin a plug.yaml with this line. An editor that has the
            YAML language server then completes and explains keys.
              # yaml-language-server: $schema=plughost.schema.json

            Examples:
              plughost schema > plughost.schema.json
              plughost schema --format markdown
            """
    )

    @Option(help: "json (a JSON Schema, draft 2020-12) or markdown (the reference page).")
    var format = Format.json

    func run(in context: CommandContext) async throws -> ExitStatus {
        switch format {
        case .json: context.output.write(PrettyJSON().text(ManifestSchema.json) + "\n")
        case .markdown: context.output.write(ManifestReference.markdown)
        }
        return .done
    }
}
