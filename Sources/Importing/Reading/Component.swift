import LosslessJSON
import PlugCore
import PlugManifest

/// A value in the manifest with references followed and `$parameters` inherited.
///
/// References are followed on access, not in advance: so a manifest costs only what is used, and one that refers to itself only
/// causes an error.
struct Component {
    /// The maximum length of a chain of references.
    private static let referenceLimit = 32
    /// How deep components may be nested: those that refer to themselves are infinitely deep.
    private static let depthLimit = 200
    /// How many values may be looked at: references can stand for a million times what is written.
    private static let valueLimit = 1_000_000

    /// What is left of `valueLimit`, for all components of a manifest.
    private final class Budget { var values = Component.valueLimit }

    let node: YAMLNode
    private let root: YAMLNode
    /// The values that fill in missing members of the same name.
    let parameters: [String: YAMLNode]
    private let depth: Int
    private let budget: Budget

    init(root: YAMLNode) {
        self.init(node: root, root: root, parameters: [:], depth: 0, Budget())
    }

    private init(node: YAMLNode, root: YAMLNode, parameters: [String: YAMLNode], depth: Int, _ budget: Budget) {
        (self.root, self.depth, self.budget) = (root, depth, budget)
        var parameters = parameters
        var node = node
        if let own = node["$parameters"]?.mapping {
            for entry in own { parameters[entry.key] = entry.value }
            node = YAMLNode(.mapping((node.mapping ?? []).filter { $0.key != "$parameters" }), at: node.location)
        }
        self.node = node
        self.parameters = parameters
    }

    /// The line, from 1.
    var line: Int { node.location.line }
    /// The text of a scalar that is not null.
    var text: String? { node.scalar.flatMap { isNull ? nil : $0.text } }
    /// Whether it is written as null.
    var isNull: Bool { node.scalar.map { $0.isPlain && ["", "null", "~", "Null", "NULL"].contains($0.text) } ?? false }
    /// Whether it is a plain `true`.
    var isTrue: Bool { node.scalar.map { $0.text.lowercased() == "true" } ?? false }
    /// Whether it is a plain `false`.
    var isFalse: Bool { node.scalar.map { $0.text.lowercased() == "false" } ?? false }
    /// The number in a scalar.
    var integer: Int? { text.flatMap { Int($0) } }
    /// Whether it is a text, rather than a number or boolean.
    var isText: Bool { node.scalar.map { !$0.isPlain } ?? false }
    /// The kind of component.
    var type: String? { node["type"]?.scalar?.text }

    /// The elements of a list.
    var elements: [Component]? {
        get throws(Unsayable) {
            guard let nodes = node.sequence else { return nil }
            var elements: [Component] = []
            for node in nodes { elements.append(try child(node)) }
            return elements
        }
    }

    /// The members of a mapping, in order.
    var members: [(key: String, value: Component)]? {
        get throws(Unsayable) {
            guard let entries = node.mapping else { return nil }
            var members: [(key: String, value: Component)] = []
            for entry in entries where entry.key != "$parameters" {
                members.append((entry.key, try child(entry.value)))
            }
            return members
        }
    }

    /// A member; `nil` if it is missing, or null. A parameter of the same name takes the place of one that is missing or empty, as in
    /// the original engine, whatever the component is. Inside the member that parameter has no effect.
    func member(_ key: String) throws(Unsayable) -> Component? {
        var value = try node[key].map { own throws(Unsayable) in try child(own, without: key) }
        if !isSchema, value?.isEmpty ?? true, let parameter = parameters[key] {
            value = try child(parameter, without: key)
        }
        return value?.isNull == true ? nil : value
    }

    /// The elements of a member that is a list; none if it is missing.
    func list(_ key: String) throws(Unsayable) -> [Component] {
        guard let member = try member(key) else { return [] }
        guard let elements = try member.elements else { throw Unsayable("'\(key)' is not a list", line: member.line) }
        return elements
    }

    /// A member of something that no parameters apply to: a schema.
    func own(_ key: String) throws(Unsayable) -> Component? {
        guard let own = node[key] else { return nil }
        let value = try child(own)
        return value.isNull ? nil : value
    }

    /// Whether it is a schema: to the original engine that is what the type `object`, or a list of types, says.
    private var isSchema: Bool { type == "object" || node["type"]?.mapping != nil || node["type"]?.sequence != nil }

    /// Whether it is what Python takes for false.
    private var isEmpty: Bool {
        guard let scalar = node.scalar else { return node.sequence?.isEmpty ?? node.mapping?.isEmpty ?? true }
        return scalar.text.isEmpty || isNull || scalar.isPlain && (isFalse || scalar.number == JSONNumber(0))
    }

    /// The same component with another node, such as one from a template.
    ///
    /// - Parameter key: A parameter that has no effect inside it.
    func child(_ node: YAMLNode, without key: String? = nil) throws(Unsayable) -> Component {
        guard depth < Self.depthLimit else {
            let reason =
                "components are nested deeper than \(Self.depthLimit) levels: a '$ref' leads to a component that it is in"
            throw Unsayable(reason, line: node.location.line)
        }
        let node = try followed(node, Self.referenceLimit)
        var parameters = parameters
        if let key { parameters[key] = nil }
        return Component(node: node, root: root, parameters: parameters, depth: depth + 1, budget)
    }

    /// The node that a node stands for: `{$ref: "#/…", own: members}`, or a text that is an address.
    private func followed(_ node: YAMLNode, _ links: Int) throws(Unsayable) -> YAMLNode {
        guard links > 0 else {
            throw Unsayable("'$ref' leads through too many references, or to itself", line: node.location.line)
        }
        budget.values -= 1
        guard budget.values > 0 else {
            let reason = "the manifest's references stand for more than \(Self.valueLimit) values"
            throw Unsayable(reason, line: node.location.line)
        }
        if let text = node.scalar?.text, text.hasPrefix("#/") {
            return try followed(try target(text, node, links), links - 1)
        }
        guard let entries = node.mapping, let reference = node["$ref"]?.scalar?.text else { return node }
        let base = try followed(try target(reference, node, links), links - 1)
        guard let inherited = base.mapping else { return base }
        var merged = inherited
        for entry in entries where entry.key != "$ref" {
            if let at = merged.firstIndex(where: { $0.key == entry.key }) {
                merged[at] = Self.mergedEntry(entry, with: merged[at])
            } else {
                merged.append(entry)
            }
        }
        return YAMLNode(.mapping(merged), at: node.location)
    }

    /// Parameters of both are merged; of everything else, members beside the reference win.
    private static func mergedEntry(_ entry: YAMLEntry, with base: YAMLEntry) -> YAMLEntry {
        guard entry.key == "$parameters", let own = entry.value.mapping, let inherited = base.value.mapping else {
            return entry
        }
        let others = inherited.filter { other in !own.contains { $0.key == other.key } }
        var both = entry
        both.value = YAMLNode(.mapping(others + own), at: entry.value.location)
        return both
    }

    private func target(_ reference: String, _ from: YAMLNode, _ links: Int) throws(Unsayable) -> YAMLNode {
        var node = root
        for step in reference.dropFirst(2).split(separator: "/") {
            // The target of a reference may be a reference itself.
            node = try followed(node, links - 1)
            let next =
                node[String(step)]
                ?? Int(step).flatMap { at in
                    node.sequence.flatMap { $0.indices.contains(at) ? $0[at] : nil }
                }
            guard let next else {
                throw Unsayable(
                    "'$ref: \(reference)' refers to nothing",
                    line: from.location.line
                )
            }
            node = next
        }
        return node
    }
}
