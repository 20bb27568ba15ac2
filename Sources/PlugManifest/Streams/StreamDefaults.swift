/// What `defaults` adds to every stream: each key that the stream does not have itself.
///
/// `request` is merged key by key, and in it `query` and `headers`; every other key is taken whole or not at all. `KEY: none` in
/// a stream, or in its request, omits a default. Nothing else in a manifest is inherited.
struct StreamDefaults {
    private let entries: [YAMLEntry]

    /// The defaults in a mapping, or none without one.
    init(_ node: YAMLNode?) { entries = node?.mapping ?? [] }

    /// Mappings that are merged, by their key paths.
    private static let merged: [[String]] = [["request"], ["request", "query"], ["request", "headers"]]
    /// Keys for which `none` is a value of its own.
    static let named: Set<String> = ["version", "auth"]

    /// The alternative bodies of a request, which has only one.
    private static let bodies: Set<String> = ["json", "form", "text", "graphql"]

    /// A stream completed with the defaults.
    ///
    /// - Parameter takes: Whether the stream may have a key.
    func added(to stream: YAMLNode, where takes: (String) -> Bool) -> YAMLNode {
        let merged = entries.isEmpty ? stream : merge(stream, entries.filter { takes($0.key) }, below: [])
        return takes("page") ? withoutDeclinedPages(merged) : merged
    }

    /// `page: none` also declares, in a stream without a default, that there is only one page.
    private func withoutDeclinedPages(_ stream: YAMLNode) -> YAMLNode {
        guard stream["page"]?.scalar?.text == "none", var own = stream.mapping else { return stream }
        own.removeAll { $0.key == "page" }
        var stream = stream
        stream.content = .mapping(own)
        return stream
    }

    private func merge(_ node: YAMLNode, _ defaults: [YAMLEntry], below path: [String]) -> YAMLNode {
        guard var own = node.mapping else { return node }
        let hasBody = path == ["request"] && own.contains { Self.bodies.contains($0.key) }
        for entry in defaults {
            guard let index = own.firstIndex(where: { Self.areEqual($0.key, entry.key, below: path) }) else {
                // The stream's own body replaces any other.
                if !(hasBody && Self.bodies.contains(entry.key)) { own.append(entry) }
                continue
            }
            let key = path + [entry.key]
            if own[index].value.scalar?.text == "none", !Self.named.contains(entry.key), path.count < 2 {
                own.remove(at: index)
            } else if Self.merged.contains(key), let inner = entry.value.mapping {
                own[index].value = merge(own[index].value, inner, below: key)
            }
        }
        var node = node
        node.content = .mapping(own)
        return node
    }

    /// Header names are case-insensitive.
    private static func areEqual(_ name: String, _ other: String, below path: [String]) -> Bool {
        name == other || (path == ["request", "headers"] && name.lowercased() == other.lowercased())
    }
}
