import PlugManifest

extension AirbyteConfig {
    /// Words in the names of settings that must be hidden.
    private static let secretWords = ["token", "secret", "password", "api_key", "apikey", "private_key", "access_key"]

    /// The settings that expressions use, for a manifest whose specification is elsewhere.
    ///
    /// Nothing then says what they are: each is a text, and a secret if its name suggests so.
    static func used(in root: YAMLNode) -> ConfigKeys {
        var paths: [[String]] = []
        collect(root, &paths)
        var keys = ConfigKeys()
        // A mapping of settings is not a setting itself.
        for path in paths where !paths.contains(where: { $0.count > path.count && $0.starts(with: path) }) {
            var key = ConfigKeys.Key(path: path, name: keys.unusedName(for: path))
            let name = path.last?.lowercased() ?? ""
            key.isSecret = secretWords.contains { name.contains($0) }
            keys.add(key)
        }
        return keys
    }

    private static func collect(_ node: YAMLNode, _ paths: inout [[String]]) {
        switch node.content {
        case .scalar(let scalar):
            guard scalar.text.contains("config"), let pieces = try? JinjaText.pieces(of: scalar.text) else { return }
            for piece in pieces { piece.visit { note($0, &paths) } }
        case .sequence(let nodes): nodes.forEach { collect($0, &paths) }
        case .mapping(let entries):
            for entry in entries where !["schema", "schemas", "metadata"].contains(entry.key) {
                collect(entry.value, &paths)
            }
        }
    }

    private static func note(_ expression: JinjaExpression, _ paths: inout [[String]]) {
        guard let path = expression.path, path.first == "config", path.count > 1 else { return }
        let keys = Array(path.dropFirst())
        if !paths.contains(keys) { paths.append(keys) }
    }
}
