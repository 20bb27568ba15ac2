import PlugCore

/// A value of a YAML file with its place.
struct YAMLNode: Sendable {
    /// What it is.
    indirect enum Content: Sendable {
        case scalar(YAMLScalar)
        case sequence([YAMLNode])
        case mapping([YAMLEntry])
    }

    var content: Content
    /// Where it begins; the length covers what lies on its first line.
    var location: Diagnostic.Location
    /// Whether YAML reads something else here than what was meant, and that was said: nothing more is to be said of it.
    var isMisread = false

    var scalar: YAMLScalar? { if case .scalar(let scalar) = content { scalar } else { nil } }
    var sequence: [YAMLNode]? { if case .sequence(let nodes) = content { nodes } else { nil } }
    var mapping: [YAMLEntry]? { if case .mapping(let entries) = content { entries } else { nil } }

    /// The value of a key.
    subscript(key: String) -> YAMLNode? { mapping?.first { $0.key == key }?.value }

    /// What a person would call it.
    var kindName: String {
        switch content {
        case .sequence: "a list"
        case .mapping: "a mapping"
        case .scalar(let scalar): scalar.kindName
        }
    }
}

/// A key with its value.
struct YAMLEntry: Sendable {
    var key: String
    var keyLocation: Diagnostic.Location
    var value: YAMLNode
}

/// A text in a YAML file, as written: what it means depends on what is expected where it stands.
struct YAMLScalar: Sendable {
    /// How it is written.
    enum Style: Sendable { case plain, singleQuoted, doubleQuoted, literal, folded }

    var text: String
    var style: Style
    /// Where the scalar begins, quotes and block indicators included.
    var start: SourceText.Position
    /// Whether the core schema may read a number, a boolean or nothing into it.
    var isPlain: Bool
}
