internal import HostConfiguration
internal import Importing
internal import PlugCore
internal import PlugManifest

/// Manifests to import, found at the paths that a person names: files, and folders of them.
struct ManifestPaths {
    /// A manifest and its plug's future id.
    struct Found: Equatable {
        var path: String
        var id: String
    }

    /// The maximum depth of manifests in a checkout, and their maximum number.
    private static let depthLimit = 8
    private static let limit = 10_000

    private(set) var found: [Found] = []
    private var ids: Set<String> = []

    /// - Throws: `PlugError` `import-unreadable` for a folder with no manifests, or with too many.
    init(_ paths: [String]) throws(PlugError) {
        for path in paths {
            guard Files.isFolder(path) else {
                add(path)
                continue
            }
            let count = found.count
            search(path, depth: 0)
            guard found.count > count else {
                throw PlugError(
                    .importUnreadable,
                    "'\(DisplayText.escaped(path))' has no manifests",
                    advice: "a folder has them as NAME.yaml, or as manifest.yaml in folders below it"
                )
            }
        }
        guard found.count <= Self.limit else {
            throw PlugError(
                .importUnreadable,
                "there are more than \(Self.limit) manifests",
                advice: "import them in several steps"
            )
        }
    }

    /// `manifest.yaml` anywhere below a folder, and every other YAML file in the folder itself.
    private mutating func search(_ folder: String, depth: Int) {
        for name in PlugPaths.names(in: folder) where found.count <= Self.limit {
            let path = PlugPaths.join(folder, name)
            if Files.isFolder(path) {
                if depth < Self.depthLimit { search(path, depth: depth + 1) }
            } else if Self.isManifest(name) || (depth == 0 && name.hasSuffix(".yaml")) {
                add(path)
            }
        }
    }

    private mutating func add(_ path: String) {
        let wish = Self.id(of: path)
        var (id, number) = (wish, 1)
        while !ids.insert(id).inserted {
            number += 1
            id = "\(wish.prefix(58))-\(number)"
        }
        found.append(Found(path: path, id: id))
    }

    private static func isManifest(_ name: String) -> Bool { name == "manifest.yaml" || name == "manifest.yml" }

    /// The id that a path suggests: the file's name, or its folder's if all files have the same one.
    static func id(of path: String) -> String {
        let steps = path.split(separator: "/").map(String.init)
        var word = steps.last ?? "plug"
        if isManifest(word), steps.count > 1 { word = steps[steps.count - 2] }
        for ending in [".yaml", ".yml"] where word.hasSuffix(ending) { word = String(word.dropLast(ending.count)) }
        for start in ["source-", "source_"] where word.hasPrefix(start) { word = String(word.dropFirst(start.count)) }
        let name = String(word.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }.prefix(64))
        return PlugName.isOne(name) ? name : "imported"
    }
}
