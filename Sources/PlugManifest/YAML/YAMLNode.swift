package import PlugCore

/// A value of a YAML file with its place.
package struct YAMLNode: Sendable {
    /// What it is.
    package indirect enum Content: Sendable {
        /// A single value.
        case scalar(YAMLScalar)
        /// A list.
        case sequence([YAMLNode])
        /// A mapping, in the order of the file.
        case mapping([YAMLEntry])
    }

    /// What it is.
    package var content: Content
    /// Where it begins; the length covers what lies on its first line.
    package var location: Diagnostic.Location
    /// Whether YAML reads something else here than what was meant, and that was said: nothing more is to be said of it.
    var isMisread = false

    /// A value.
    package init(_ content: Content, at location: Diagnostic.Location, isMisread: Bool = false) {
        self.content = content
        self.location = location
        self.isMisread = isMisread
    }

    /// A text as it would stand in a file without quotes.
    package init(plain text: String, at location: Diagnostic.Location) {
        let start = SourceText.Position(line: location.line - 1, column: location.column - 1)
        self.init(.scalar(YAMLScalar(text: text, style: .plain, start: start, isPlain: true)), at: location)
    }

    /// The single value that it is.
    package var scalar: YAMLScalar? { if case .scalar(let scalar) = content { scalar } else { nil } }
    /// The elements of the list that it is.
    package var sequence: [YAMLNode]? { if case .sequence(let nodes) = content { nodes } else { nil } }
    /// The entries of the mapping that it is.
    package var mapping: [YAMLEntry]? { if case .mapping(let entries) = content { entries } else { nil } }

    /// The value of a key.
    package subscript(key: String) -> YAMLNode? { mapping?.first { $0.key == key }?.value }

    /// What a person would call it.
    package var kindName: String {
        switch content {
        case .sequence: "a list"
        case .mapping: "a mapping"
        case .scalar(let scalar): scalar.kindName
        }
    }
}

/// A key with its value.
package struct YAMLEntry: Sendable {
    /// The key.
    package var key: String
    /// Where the key is.
    package var keyLocation: Diagnostic.Location
    /// The value.
    package var value: YAMLNode

    /// An entry.
    package init(key: String, keyLocation: Diagnostic.Location, value: YAMLNode) {
        self.key = key
        self.keyLocation = keyLocation
        self.value = value
    }
}

/// A text in a YAML file, as written: what it means depends on what is expected where it stands.
package struct YAMLScalar: Sendable {
    /// How it is written.
    enum Style: Sendable { case plain, singleQuoted, doubleQuoted, literal, folded }

    /// The text, quotes and escapes resolved.
    package var text: String
    var style: Style
    /// Where the scalar begins, quotes and block indicators included.
    var start: SourceText.Position
    /// Whether the core schema may read a number, a boolean or nothing into it.
    package var isPlain: Bool
}
