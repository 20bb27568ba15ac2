/// The nodes of a file that have a name (`&name`) and stand elsewhere, too (`*name`, `<<: *name`).
///
/// An alias takes no memory, but whoever walks the tree walks it once more: all nodes are counted as often as they stand somewhere.
struct YAMLAnchors {
    private struct Named {
        var node: YAMLNode
        var size: Int
        var height: Int
    }

    private var named: [String: Named] = [:]

    /// Gives a node a name. A later one of the same name takes its place.
    ///
    /// - Parameter size: How many nodes it has, itself included.
    mutating func name(_ node: YAMLNode, _ name: String, size: Int) {
        named[name] = Named(node: node, size: size, height: Self.height(node))
    }

    /// The node of a name with how many nodes it has and how deep it is; `nil` where none has it.
    func node(_ name: String) -> (node: YAMLNode, size: Int, height: Int)? {
        named[name].map { ($0.node, $0.size, $0.height) }
    }

    private static func height(_ node: YAMLNode) -> Int {
        let inner = (node.sequence ?? []) + (node.mapping ?? []).map(\.value)
        return 1 + (inner.map(height).max() ?? 0)
    }

    /// The entries of a mapping with those of merge keys behind its own, which count first.
    static func merged(_ own: [YAMLEntry], with others: [YAMLNode]) -> [YAMLEntry] {
        var entries = own
        var keys = Set(own.map(\.key))
        for entry in others.flatMap({ $0.mapping ?? [] }) where keys.insert(entry.key).inserted {
            entries.append(entry)
        }
        return entries
    }
}
