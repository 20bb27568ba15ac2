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
    /// - Parameters:
    ///   - size: How many nodes it has, itself included.
    ///   - height: How deep it is, itself included.
    mutating func name(_ node: YAMLNode, _ name: String, size: Int, height: Int) {
        named[name] = Named(node: node, size: size, height: height)
    }

    /// The node of a name with how many nodes it has and how deep it is; `nil` where none has it.
    func node(_ name: String) -> (node: YAMLNode, size: Int, height: Int)? {
        named[name].map { ($0.node, $0.size, $0.height) }
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
