internal import ArgumentParser
internal import Importing
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest

/// `plughost import airbyte`
struct ImportAirbyteCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "airbyte",
        abstract: "Makes a plug of a manifest of Airbyte's declarative language.",
        discussion: """
            Writes DIR/plug.yaml, and a schema with which editors complete and check it.
            Streams, addresses, authorisation, paging, incremental reads, parents,
            records, transformations, rules for answers and settings are carried over.

            What cannot be carried over stands in the plug as '# TODO' with the line of
            the manifest and the reason, is told on stderr, and leads to exit code 1. A
            stream of which something is missing is left out, so that no plug reads
            something else than the manifest.

            Examples:
              plughost import airbyte manifest.yaml
              plughost import airbyte manifest.yaml -o books
              plughost import airbyte manifest.yaml --check     says what would be missing

            With --json it prints one object: plug, whole, streams, carried, todo.
            """
    )

    @Argument(help: ArgumentHelp("The manifest.", valueName: "file"))
    var file: String

    @Option(
        name: [.short, .long],
        help: ArgumentHelp("The folder to make. Default: the plug's id.", valueName: "folder")
    )
    var output: String?

    @Option(
        help: ArgumentHelp("The plug's id. Default: the name of the folder, or of the manifest's.", valueName: "name")
    )
    var id: String?

    @Flag(help: "Write nothing, and say what would be missing.")
    var check = false

    @Flag(help: "Print one JSON object: plug, whole, streams, carried, todo.")
    var json = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        let id = try name()
        let folder = output ?? id
        if !check, Files.exists(folder) {
            throw PlugError(
                .initExists,
                "'\(DisplayText.escaped(folder))' already exists",
                advice: "choose another folder with -o, or remove it: nothing was changed"
            )
        }
        let plug = try AirbyteImport.plug(of: try manifest(), id: id)
        guard let manifest = plug.manifest else {
            answers(in: context).one(plug.json, text: missing(plug))
            throw PlugError(
                .importNothing,
                "no stream of \(DisplayText.escaped(file)) can be carried over, and nothing was written",
                advice: "write the plug by hand, beginning with 'plughost init'"
            )
        }
        if !check {
            try Files.makeFolder(folder, mode: 0o777)
            try Files.write(manifest, to: "\(folder)/plug.yaml")
            try Files.write(PrettyJSON().text(ManifestSchema.json) + "\n", to: "\(folder)/plug.schema.json")
        }
        answers(in: context).one(plug.json, text: text(plug, folder))
        return plug.isWhole ? .done : .failed
    }

    private func manifest() throws(PlugError) -> ForeignManifest {
        let shown = DisplayText.escaped(file)
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try WholeFile.read(file, limit: ForeignManifest.byteLimit, .regular)
        } catch {
            let reason = error == .tooLarge ? "it is larger than 16 MiB" : error.reason
            throw PlugError(.importUnreadable, "cannot read \(shown): \(reason)", advice: "check the path")
        }
        return try ForeignManifest(bytes, name: shown)
    }

    /// The plug's id: as it is given, or as the folder or the file suggests.
    private func name() throws(PlugError) -> String {
        if let id {
            guard PlugName.isOne(id) else {
                throw PlugError(
                    .plugNameUnfit,
                    "'\(DisplayText.escaped(String(id.prefix(100))))' cannot be a plug's id",
                    advice: "use lower-case letters, digits and hyphens, at most 64, such as 'my-plug'"
                )
            }
            return id
        }
        let steps = (output ?? file).split(separator: "/").map(String.init)
        var word = steps.last ?? "plug"
        if output == nil, ["manifest.yaml", "manifest.yml"].contains(word), steps.count > 1 {
            word = steps[steps.count - 2]
        }
        for ending in [".yaml", ".yml"] where word.hasSuffix(ending) { word = String(word.dropLast(ending.count)) }
        for start in ["source-", "source_"] where word.hasPrefix(start) { word = String(word.dropFirst(start.count)) }
        let name = String(word.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }.prefix(64))
        return PlugName.isOne(name) ? name : "imported"
    }

    private func missing(_ plug: ImportedPlug) -> String {
        func list(_ title: String, _ findings: [ImportFinding]) -> String {
            let lines = findings.map { finding in
                let stream = finding.stream.map { "stream '\(DisplayText.escaped($0))': " } ?? ""
                return
                    "  \(DisplayText.escaped(file)):\(finding.line): \(stream)\(DisplayText.escaped(finding.reason))\n"
            }
            return lines.isEmpty ? "" : "\(title):\n\(lines.joined())"
        }
        return list("not carried over", plug.findings.filter { !$0.isNote })
            + list("noted", plug.findings.filter(\.isNote))
    }

    private func text(_ plug: ImportedPlug, _ folder: String) -> String {
        let shown = DisplayText.escaped(folder)
        let sum = "\(plug.carried.count) of \(plug.streams.count) streams are in the plug"
        let missing = missing(plug)
        if check { return "\(sum)\n\(missing)" }
        return """
            \(shown)/plug.yaml: \(sum)
            \(missing)
            next:
              edit \(shown)/plug.yaml
              plughost validate \(shown)
              plughost try \(shown)      reads the service, and delivers nothing

            """
    }
}
