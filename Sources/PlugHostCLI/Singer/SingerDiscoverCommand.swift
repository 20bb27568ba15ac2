internal import ArgumentParser
internal import CurlTransport
internal import LosslessJSON
internal import PlugCore
internal import PlugFetch
internal import PlugManifest
internal import Programs
internal import Scaffolding

/// `plughost singer discover`
struct SingerDiscoverCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "discover",
        abstract: "Asks a program for its catalogue, and makes a plug from it.",
        discussion: """
            Runs the program with --discover, in the sandbox in which it will run, and
            writes NAME/plug.yaml and NAME/catalog.json. With a manifest that has 'exec',
            it writes its catalogue anew, with the fields that are selected or left out in
            it, and prints the streams that the manifest lacks.

            Examples:
              plughost singer discover tap-example --host api.example.org
              plughost singer discover ./tap-example --tap-config c.json --stream issues
              plughost singer discover Plugs/example --config token=@token

            The values of --tap-config are given to the program and not written: the
            new plug asks for them. Read what it wrote: a catalogue does not always say
            what identifies a record. With --json it prints one object: plug, folder,
            streams.
            """
    )

    @Argument(help: ArgumentHelp("A program, its name in PATH, or a manifest or its folder.", valueName: "path"))
    var path: String

    @Option(help: ArgumentHelp("A file with the program's configuration, in JSON.", valueName: "file"))
    var tapConfig: String?

    @Option(
        name: .customLong("host"),
        help: ArgumentHelp("A host that the program connects to. Repeatable.", valueName: "host")
    )
    var hosts: [String] = []

    @Option(
        name: .customLong("stream"),
        help: ArgumentHelp("A stream to write (default: all). Repeatable.", valueName: "stream")
    )
    var chosen: [String] = []

    @Option(help: ArgumentHelp("The plug's id (default: the program's name).", valueName: "name"))
    var name: String?

    @Option(help: ArgumentHelp("Where to make the folder.", valueName: "folder"))
    var into = "."

    @OptionGroup var config: ConfigOptions
    @OptionGroup var state: PlugStateOptions
    @OptionGroup var programs: ProgramOptions
    @OptionGroup var network: NetworkOptions

    @Flag(help: "Print one JSON object: plug, folder, streams.")
    var json = false

    var takesInterruptions: Bool { true }

    func run(in context: CommandContext) async throws -> ExitStatus {
        if Files.exists("\(path)/plug.yaml") || path.hasSuffix(".yaml") || path.hasSuffix(".yml") {
            return try await renew(Manifests.load(path, in: context), context)
        }
        return try await begin(context)
    }

    /// A new plug for a program that has none.
    private func begin(_ context: CommandContext) async throws -> ExitStatus {
        let program = path.split(separator: "/").last.map(String.init) ?? path
        let id = name ?? String(program.lowercased().prefix { $0 != "." }.map { $0 == "_" ? "-" : $0 })
        guard PlugName.isOne(id) else {
            throw PlugError(
                .plugNameUnfit,
                "'\(DisplayText.escaped(String(id.prefix(100))))' cannot be a plug's id",
                advice: "give one with --name, such as --name tap-example"
            )
        }
        let folder = "\(into)/\(id)"
        try NewPlugFolder(folder).check()
        let given = try tapConfig.map { file throws(PlugError) in try Self.configuration(file) } ?? JSONObject()
        // A path is relative to the current folder, wherever the plug will be.
        let command = path.contains("/") ? ProgramCall.absolute(path) : path
        let first = SingerPlug(
            id: id,
            command: [command],
            hosts: hosts,
            config: given,
            catalogue: .members(("streams", .array([.members(("stream", .text("any")))])))
        )
        // The manifest without its catalogue, which is not known yet.
        let text = first.manifest.replacing("\n  catalog: catalog.json", with: "")
        let result = ManifestReader.read(path: "\(folder)/plug.yaml", text: Array(text.utf8))
        guard let manifest = result.manifest else {
            throw PlugError(
                .singerUnusable,
                "no plug can be made of these options: \(result.diagnostics.first { $0.severity == .error }?.message ?? "")",
                advice: "correct --host or --tap-config"
            )
        }
        let (catalogue, takesProperties) = try await asking(manifest, first.answers, context) { fetcher in
            // The catalogue first: its errors are explicit.
            let catalogue = try await fetcher.discover()
            return (catalogue, try await fetcher.takesProperties())
        }
        let plug = SingerPlug(
            id: id,
            command: [command],
            hosts: hosts,
            config: given,
            catalogue: catalogue,
            takesProperties: takesProperties,
            wanted: Set(chosen)
        )
        try checkChosen(plug)
        if plug.streamNames.isEmpty {
            throw PlugError(
                .singerUnusable,
                "the program's catalogue has no streams",
                advice: "check whether --tap-config is complete, and whether the account may read anything"
            )
        }
        try Files.makeFolder(folder, mode: 0o777)
        try Files.write(plug.catalogueText, to: "\(folder)/catalog.json")
        try Files.write(plug.manifest, to: "\(folder)/plug.yaml")
        let shown = DisplayText.escaped(folder)
        let count = chosen.isEmpty ? plug.streamNames.count : Set(chosen).count
        let hint = hosts.isEmpty ? "fill in 'hosts' in \(shown)/plug.yaml, then: " : ""
        answers(in: context).one(
            Self.json(id, folder, count),
            text: "wrote \(shown)/plug.yaml and catalog.json with \(count.counted("stream"))\n"
                + "next: \(hint)plughost validate \(shown), plughost try \(shown)\n"
        )
        return .done
    }

    /// The catalogue of a plug that already has a program.
    private func renew(_ manifest: Manifest, _ context: CommandContext) async throws -> ExitStatus {
        guard let program = manifest.program else {
            throw PlugError(
                .singerUnusable,
                "the plug '\(manifest.id)' is not read by a program: it has no 'exec'",
                advice: "name a program, or a plug with 'exec'"
            )
        }
        let answers = try config.answers(context)
        try answers.checkNames([manifest])
        let values = try answers.values(for: manifest)
        let catalogue = try await asking(manifest, values, context) { try await $0.discover() }
        let folder = WholeFile.folder(of: manifest.source.path)
        let plug = SingerPlug(
            id: manifest.id,
            command: program.command,
            hosts: [],
            config: JSONObject(),
            catalogue: catalogue,
            earlier: program.catalogue,
            wanted: Set(chosen)
        )
        try checkChosen(plug)
        let file = program.catalogueFile ?? "catalog.json"
        try Files.write(plug.catalogueText, to: "\(folder)/\(file)")
        let unread = "the manifest does not read it: write 'catalog: \(file)' in 'exec'\n"
        let lacking = plug.streams(
            leavingOut: Set(manifest.streams.compactMap(\.tapStream)),
            names: Set(manifest.streams.map(\.name)),
            endpoints: Set(manifest.streams.compactMap { $0.path?.endpoint })
        )
        let told = lacking.isEmpty ? "" : "streams that the manifest lacks:\n\(lacking.joined(separator: "\n"))\n"
        self.answers(in: context).one(
            Self.json(manifest.id, folder, plug.streamNames.count),
            text:
                "wrote \(DisplayText.escaped("\(folder)/\(file)")) with \(plug.streamNames.count.counted("stream"))\n"
                + "\(program.catalogueFile == nil ? unread : "")\(told)"
        )
        return .done
    }

    /// Refuses streams that the catalogue does not have.
    private func checkChosen(_ plug: SingerPlug) throws(PlugError) {
        let names = plug.streamNames
        guard let unknown = chosen.first(where: { !names.contains($0) }) else { return }
        let listed = names.prefix(50).map(DisplayText.escaped).joined(separator: ", ")
        throw PlugError(
            .singerUnusable,
            "the program has no stream '\(DisplayText.escaped(String(unknown.prefix(100))))'",
            advice: "--stream takes one of: \(listed)\(names.count > 50 ? ", …" : "")"
        )
    }

    /// Runs a plug's program with a question.
    private func asking<Answer: Sendable>(
        _ manifest: Manifest,
        _ values: JSONObject,
        _ context: CommandContext,
        _ question: (SingerFetcher) async throws -> Answer
    ) async throws -> Answer {
        try await network.withTransport(pda: nil) { transport in
            let files = [tapConfig].compactMap(\.self) + config.files
            guard let means = try programs.means(for: [manifest], in: state, transport.policy, hiding: files, context)
            else {
                throw PlugError(
                    .singerUnusable,
                    "the plug '\(manifest.id)' has no program",
                    advice: "name one with 'exec'"
                )
            }
            do {
                return try await question(
                    SingerFetcher(manifest: manifest, config: values, means: means, clock: context.clock)
                )
            } catch let error as PlugError {
                // Discovery needs the program's own explanation of a failure.
                throw error.quoted
            }
        }
    }

    private static func configuration(_ file: String) throws(PlugError) -> JSONObject {
        let bytes = try Files.read(file, limit: 1 << 20, failing: .configuration)
        guard let object = (try? JSONValue(parsing: bytes))?.object else {
            throw PlugError(
                .singerUnusable,
                "\(DisplayText.escaped(file)) is not a JSON object",
                advice: "give the file that the program takes with --config"
            )
        }
        return object
    }

    private static func json(_ id: String, _ folder: String, _ streams: Int) -> JSONValue {
        .members(("plug", .text(id)), ("folder", .text(folder)), ("streams", .integer(streams)))
    }
}
