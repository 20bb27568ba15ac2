internal import HostConfiguration
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import PlugTesting

/// Another plug, as the starting point for a new one.
enum PlugTemplate {
    /// The maximum number of files copied.
    private static let limit = 100

    /// The files of a plug with another id, without the golden files: those are created again.
    ///
    /// - Parameter plug: The id of a bundled plug, or a path.
    /// - Throws: `PlugError` `init-like`, `fixture-unreadable`.
    static func copy(of plug: String, as name: String) throws(PlugError) -> [String: String] {
        let folder = try folder(plug)
        let manifest = try text("\(folder)/plug.yaml")
        let old = id(in: manifest) ?? plug
        var files = ["plug.yaml": renamed(manifest, to: name)]
        // GraphQL queries are in files beside the manifest.
        for file in try SmallFile.names(in: folder) ?? [] {
            if file == "README.md" {
                files[file] = try text("\(folder)/\(file)").replacing("# \(old)\n", with: "# \(name)\n")
                    .replacing("\(old)/", with: "\(name)/")
            } else if file.hasSuffix(".graphql") {
                files[file] = try text("\(folder)/\(file)")
            }
        }
        let fixtures = (try SmallFile.names(in: "\(folder)/fixtures") ?? []).filter { $0.hasSuffix(".json") }
        guard fixtures.count <= limit else {
            throw PlugError(
                .initLike,
                "'\(DisplayText.escaped(plug))' has \(fixtures.count) fixtures, and at most \(limit) are copied",
                advice: "copy its folder by hand"
            )
        }
        for file in fixtures {
            files["fixtures/\(file)"] = try text("\(folder)/fixtures/\(file)").replacing(
                "\"\(old)/",
                with: "\"\(name)/"
            )
        }
        return files
    }

    private static func folder(_ plug: String) throws(PlugError) -> String {
        let candidates = [plug] + BundledPlugs.folders.map { "\($0)/\(plug)" }
        if let found = candidates.first(where: { Files.exists("\($0)/plug.yaml") }) { return found }
        let bundled = BundledPlugs.folders.lazy.map { PlugPaths.manifests(at: $0) }.first { !$0.isEmpty } ?? []
        let names = bundled.map { String(WholeFile.folder(of: $0).split(separator: "/").last ?? "") }
        let known =
            names.isEmpty
            ? "the bundled plugs are neither in ./Plugs nor next to this program: name a path"
            : "the bundled ones are: \(names.joined(separator: ", "))"
        throw PlugError(
            .initLike,
            "there is no plug '\(DisplayText.escaped(plug))', neither at this path nor among the bundled ones",
            advice: Spelling.question(plug, in: names) ?? known
        )
    }

    private static func text(_ path: String) throws(PlugError) -> String {
        String(decoding: try SmallFile.read(path), as: UTF8.self)
    }

    private static func id(in manifest: String) -> String? {
        manifest.split { $0.isNewline }.first { $0.hasPrefix("plug:") }
            .flatMap { $0.dropFirst(5).split { $0 == " " || $0 == "#" }.first.map(String.init) }
    }

    /// The manifest with another id, and so with its own namespace. The service's status is not copied.
    private static func renamed(_ manifest: String, to name: String) -> String {
        manifest.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line -> String? in
            if line.hasPrefix("plug:") { return "plug: \(name)" }
            return line.hasPrefix("namespace:") ? nil : String(line)
        }
        .joined(separator: "\n")
    }
}
