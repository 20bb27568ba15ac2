/// The nodes of a file that have a name (`&name`) and are used elsewhere, too (`*name`, `<<: *name`).
///
/// An alias takes no memory, but is traversed again by whoever walks the tree: each node is counted wherever it is used.
struct YAMLAnchors {
    private struct Named {
        var node: YAMLNode
        var size: Int
        var height: Int
    }

    private var named: [String: Named] = [:]

    /// Names a node. It replaces an earlier one with the same name.
    ///
    /// - Parameters:
    ///   - size: The number of its nodes, itself included.
    ///   - height: Its depth, itself included.
    mutating func name(_ node: YAMLNode, _ name: String, size: Int, height: Int) {
        named[name] = Named(node: node, size: size, height: height)
    }

    /// The node with a name, its number of nodes and its depth; `nil` if there is none.
    func node(_ name: String) -> (node: YAMLNode, size: Int, height: Int)? {
        named[name].map { ($0.node, $0.size, $0.height) }
    }

    /// A mapping's entries, followed by those of merge keys; its own take precedence.
    static func merged(_ own: [YAMLEntry], with others: [YAMLNode]) -> [YAMLEntry] {
        var entries = own
        var keys = Set(own.map(\.key))
        for entry in others.flatMap({ $0.mapping ?? [] }) where keys.insert(entry.key).inserted {
            entries.append(entry)
        }
        return entries
    }
}
