internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugHostWeb
internal import PlugManifest

/// `plughost catalogue`
struct CatalogueCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalogue",
        abstract: "Lists plugs, or writes a page with a card for each.",
        discussion: """
            Examples:
              plughost catalogue Plugs
              plughost catalogue Plugs --html site      writes site/index.html

            The page has no script and loads nothing from elsewhere. With --json it
            prints one object per plug: plug, version, name, headline, status, streams,
            path.
            """
    )

    @Argument(
        help: ArgumentHelp(
            "Manifests, folders with a plug.yaml, or folders of such folders.",
            valueName: "path"
        )
    )
    var paths: [String]

    @Option(help: ArgumentHelp("Write index.html into this folder.", valueName: "folder"))
    var html: String?

    @Flag(help: "Print one JSON object per plug.")
    var json = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        var manifests: [Manifest] = []
        for path in Manifests.files(paths) { manifests.append(try Manifests.load(path, in: context)) }
        manifests.sort { $0.id < $1.id }
        if let html {
            try Files.makeFolder(html)
            try Files.write(CataloguePage(manifests).html, to: "\(html)/index.html")
            context.errors.write("wrote \(DisplayText.escaped(html))/index.html\n")
            return .done
        }
        for manifest in manifests { answers(in: context).one(Self.json(manifest), text: Self.text(manifest)) }
        return .done
    }

    private static func member(_ manifest: Manifest, _ name: String) -> String? {
        manifest.application?["info"]?[name]?.stringText
    }

    private static func text(_ manifest: Manifest) -> String {
        let padding = String(repeating: " ", count: max(1, 18 - manifest.id.count))
        let state = manifest.status.map { " (\($0.state.rawValue))" } ?? ""
        return "\(manifest.id)\(padding)\(DisplayText.escaped(member(manifest, "headline") ?? ""))\(state)\n"
    }

    private static func json(_ manifest: Manifest) -> JSONValue {
        let streams = manifest.streams.compactMap { stream in stream.path.map { _ in JSONValue.text(stream.name) } }
        return .members(
            ("plug", .text(manifest.id)),
            ("version", .text(manifest.version)),
            ("name", member(manifest, "name").map(JSONValue.text) ?? .null),
            ("headline", member(manifest, "headline").map(JSONValue.text) ?? .null),
            ("status", manifest.status.map { .text($0.state.rawValue) } ?? .null),
            ("streams", .array(streams)),
            ("path", .text(manifest.source.path))
        )
    }
}
