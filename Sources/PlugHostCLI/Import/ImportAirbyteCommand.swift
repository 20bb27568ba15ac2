internal import ArgumentParser
internal import HostConfiguration
internal import Importing
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import PlugRuntime

/// `plughost import airbyte`
struct ImportAirbyteCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "airbyte",
        abstract: "Makes a plug from a manifest in Airbyte's declarative language.",
        discussion: """
            Writes DIR/plug.yaml, and a schema that lets editors complete and check it.
            Streams, addresses, authorisation, paging, incremental reads, parents,
            records, transformations, rules for answers and settings are carried over.

            What cannot be carried over is marked in the plug with '# TODO', the line of
            the manifest and the reason, is reported on stderr, and leads to exit code 1. A
            stream that would be incomplete is left out, so that no plug reads anything
            other than what the manifest describes.

            Given several manifests, or a folder of them (NAME.yaml in it, manifest.yaml
            anywhere below it), it makes a folder in DIR for each. One that fails does not
            stop the others.

            Examples:
              plughost import airbyte manifest.yaml
              plughost import airbyte manifest.yaml -o books
              plughost import airbyte manifest.yaml --check     says what would be missing
              plughost import airbyte connectors -o plugs       all that lie below a folder

            With --json it prints one object for each manifest: plug, whole, streams,
            carried, todo, notes; for several, also file, or file and error.
            """
    )

    @Argument(help: ArgumentHelp("A manifest, or a folder of manifests.", valueName: "path"))
    var paths: [String]

    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "The folder to make; for several manifests, the folder to make theirs in. Default: the plug's id.",
            valueName: "folder"
        )
    )
    var output: String?

    @Option(
        help: ArgumentHelp("The plug's id. Default: the name of the folder, or of the manifest's.", valueName: "name")
    )
    var id: String?

    @Flag(help: "Write nothing, and say what would be missing.")
    var check = false

    @Flag(help: "Print one JSON object per manifest: plug, whole, streams, carried, todo, notes.")
    var json = false

    func validate() throws {
        guard isSeveral else { return }
        if id != nil {
            throw ValidationError("--id is for one manifest; several get their ids from the names of their files")
        }
        if output == nil, !check { throw ValidationError("name the folder to make the plugs in with -o") }
    }

    private var isSeveral: Bool { paths.count != 1 || Files.isFolder(paths[0]) }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let answers = answers(in: context)
        if isSeveral { return try several(answers) }
        let id = try name()
        let folder = output ?? id
        let one = ManifestImport(path: paths[0], id: id, folder: check ? nil : folder)
        let plug = try one.plug()
        guard plug.manifest != nil else {
            answers.one(plug.json, text: ImportText(plug, of: paths[0]).missing)
            throw one.nothing
        }
        answers.one(plug.json, text: check ? ImportText(plug, of: paths[0]).checked : text(plug, folder))
        return plug.isWhole ? .done : .failed
    }

    /// Each manifest on its own: an error in one is its own result.
    private func several(_ answers: AnswerPrinter) throws(PlugError) -> ExitStatus {
        let manifests = try ManifestPaths(paths).found
        var sum = ImportSum()
        for manifest in manifests {
            let folder = output.map { PlugPaths.join($0, manifest.id) }
            let one = ManifestImport(path: manifest.path, id: manifest.id, folder: check ? nil : folder)
            do throws(PlugError) {
                let plug = try one.plug()
                sum.add(plug)
                let text = ImportText(plug, of: manifest.path)
                let name = DisplayText.escaped(check ? manifest.path : folder ?? manifest.id)
                answers.one(plug.json(file: manifest.path), text: "\(name): \(text.sum)\n\(text.missing)")
            } catch {
                sum.addFailure()
                answers.one(
                    .members(("file", .text(manifest.path)), ("error", error.json)),
                    text: "\(DisplayText.escaped(manifest.path)): \(error.message)\n"
                )
            }
        }
        if !json { answers.one(.null, text: "\n\(sum.text)\n") }
        return sum.isWhole ? .done : .failed
    }

    /// The plug's id: as given, or as suggested by the folder or the file.
    private func name() throws(PlugError) -> String {
        guard let id else { return ManifestPaths.id(of: output ?? paths[0]) }
        guard PlugName.isOne(id) else {
            throw PlugError(
                .plugNameUnfit,
                "'\(DisplayText.escaped(String(id.prefix(100))))' cannot be a plug's id",
                advice: "use lower-case letters, digits and hyphens, at most 64, such as 'my-plug'"
            )
        }
        return id
    }

    private func text(_ plug: ImportedPlug, _ folder: String) -> String {
        let (shown, text) = (DisplayText.escaped(folder), ImportText(plug, of: paths[0]))
        return """
            \(shown)/plug.yaml: \(text.sum)
            \(text.missing)
            next:
              edit \(shown)/plug.yaml
              plughost validate \(shown)
              plughost test \(shown)     runs it against a service made of the plug
              plughost try \(shown)      reads the service, and delivers nothing

            """
    }
}
