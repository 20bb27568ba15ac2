internal import ArgumentParser
internal import HostConfiguration
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest

/// `plughost schema`
struct SchemaCommand: RunnableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable { case json, markdown }

    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Prints the keys of the manifest, or of plughost.yaml: a JSON Schema, or the reference.",
        discussion: """
            Save the schema, and begin a plug.yaml with this line. An editor that has the
            YAML language server then completes and explains keys.
              # yaml-language-server: $schema=plughost.schema.json

            Examples:
              plughost schema > plughost.schema.json
              plughost schema --format markdown
              plughost schema --config > plughost.yaml.schema.json
            """
    )

    @Flag(help: "The keys of plughost.yaml, the configuration of a host.")
    var config = false

    @Option(help: "json (a JSON Schema, draft 2020-12) or markdown (the reference page).")
    var format = Format.json

    func run(in context: CommandContext) async throws -> ExitStatus {
        switch format {
        case .json:
            let schema = config ? HostReference.schema : ManifestSchema.json
            context.output.write(PrettyJSON().text(schema) + "\n")
        case .markdown: context.output.write(config ? HostReference.markdown : ManifestReference.markdown)
        }
        return .done
    }
}
