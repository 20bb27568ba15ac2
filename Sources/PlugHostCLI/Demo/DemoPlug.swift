internal import FoundationEssentials
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import PlugTesting

/// The demonstrated plug: its manifest, its recorded conversation, and what to ask the live service.
struct DemoPlug {
    let manifest: Manifest
    /// The first of its fixtures; `nil` if it has none.
    let cassette: Cassette?

    /// Public accounts that bundled plugs can read without a key; of a long history the last year.
    private static func liveAnswers(_ plug: String, now: Int64) -> JSONObject {
        let lastYear = Timestamp(seconds: now / 1_000_000 - 365 * 86_400).date
        switch plug {
        case "wikipedia": return ["user": .text("Jimbo Wales"), "from": .text(lastYear)]
        case "mastodon": return ["user": .text("Mastodon")]
        default: return JSONObject()
        }
    }

    /// Finds and reads the plug.
    ///
    /// - Throws: `PlugError` `demo-plug-missing` (78), and the errors of reading a manifest or a fixture.
    init(_ named: String?, in context: CommandContext) throws(PlugError) {
        let path: String
        if let named { path = named } else { path = try Self.bundled("wikipedia") }
        manifest = try Manifests.load(path, in: context)
        let file = manifest.source.path
        let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
        let fixtures = Self.names(in: "\(folder)/fixtures").filter { $0.hasSuffix(".json") }.sorted()
        if let first = fixtures.first {
            cassette = try Cassette.load("\(folder)/fixtures/\(first)")
        } else {
            cassette = nil
        }
    }

    /// Its display name.
    var name: String { manifest.application?["info"]?["name"]?.stringText ?? manifest.id }

    /// The config for the live service: the answers, else a public account; `nil` if something is missing.
    ///
    /// - Parameter now: Microseconds since 1970.
    func liveConfig(_ answers: ConfigAnswers, now: Int64) throws(PlugError) -> JSONObject? {
        var config = try answers.values(for: manifest)
        if answers.options.isEmpty, answers.file.isEmpty {
            for (key, value) in Self.liveAnswers(manifest.id, now: now).members { config[key] = value }
        }
        return manifest.config.allSatisfy { config[JSONString($0.name)] != nil } ? config : nil
    }

    /// The config of the recorded conversation, with the manifest's defaults.
    func storedConfig(_ cassette: Cassette) -> JSONObject {
        var config = JSONObject()
        for field in manifest.config { config[JSONString(field.name)] = field.default }
        for (key, value) in cassette.config.members { config[key] = value }
        return config
    }

    /// `Plugs/NAME` in the current folder, in the repository that this program was built in, or where it is installed.
    private static func bundled(_ name: String) throws(PlugError) -> String {
        if let found = BundledPlugs.folders.map({ "\($0)/\(name)" }).first(where: { Files.exists("\($0)/plug.yaml") }) {
            return found
        }
        throw PlugError(
            .demoPlugMissing,
            "the bundled plug '\(name)' is neither in ./Plugs nor next to this program",
            advice: "run it in the plughost repository, or name a plug with --plug PATH"
        )
    }

    /// The contents of a folder; nothing if there is none.
    private static func names(in folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }
}
