/// What `defaults` adds to every stream: each of its keys that the stream does not have.
///
/// `request` is merged key by key, and in it `query` and `headers`; every other key is taken whole or not at all. `KEY: none`
/// in a stream leaves a default out. Nothing else in a manifest is inherited.
struct StreamDefaults {
    private let entries: [YAMLEntry]

    /// The defaults in a mapping, none without one.
    init(_ node: YAMLNode?) { entries = node?.mapping ?? [] }

    /// Mappings that are merged, by the keys that lead to them.
    private static let merged: [[String]] = [["request"], ["request", "query"], ["request", "headers"]]
    /// Keys for which `none` is a value of its own.
    private static let named: Set<String> = ["version", "auth"]

    /// A stream with what it does not say itself.
    func added(to stream: YAMLNode) -> YAMLNode {
        guard !entries.isEmpty, stream.mapping != nil else { return stream }
        var whole = merge(stream, entries, below: [])
        let defaults = Set(entries.map(\.key)).subtracting(Self.named)
        if case .mapping(let all) = whole.content {
            whole.content = .mapping(all.filter { !(defaults.contains($0.key) && $0.value.scalar?.text == "none") })
        }
        return whole
    }

    private func merge(_ node: YAMLNode, _ defaults: [YAMLEntry], below path: [String]) -> YAMLNode {
        guard var own = node.mapping else { return node }
        for entry in defaults {
            guard let index = own.firstIndex(where: { $0.key == entry.key }) else {
                own.append(entry)
                continue
            }
            let key = path + [entry.key]
            if Self.merged.contains(key), let inner = entry.value.mapping {
                own[index].value = merge(own[index].value, inner, below: key)
            }
        }
        var node = node
        node.content = .mapping(own)
        return node
    }
}
