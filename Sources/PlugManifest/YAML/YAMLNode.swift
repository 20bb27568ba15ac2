package import PlugCore

/// A value in a YAML file with its location.
package struct YAMLNode: Sendable {
    /// The content of a node.
    package indirect enum Content: Sendable {
        /// A single value.
        case scalar(YAMLScalar)
        /// A list.
        case sequence([YAMLNode])
        /// A mapping, in the order of the file.
        case mapping([YAMLEntry])
    }

    /// The content of the node.
    package var content: Content
    /// Where it begins; the length covers the part on its first line.
    package var location: Diagnostic.Location
    /// Whether YAML reads something other than what was intended here, and that was reported: nothing more is reported for it.
    var isMisread = false

    /// Creates a node.
    package init(_ content: Content, at location: Diagnostic.Location, isMisread: Bool = false) {
        self.content = content
        self.location = location
        self.isMisread = isMisread
    }

    /// Creates a text as it would appear in a file without quotes.
    package init(plain text: String, at location: Diagnostic.Location) {
        let start = SourceText.Position(line: location.line - 1, column: location.column - 1)
        self.init(.scalar(YAMLScalar(text: text, style: .plain, start: start, isPlain: true)), at: location)
    }

    /// The scalar, if it is one.
    package var scalar: YAMLScalar? { if case .scalar(let scalar) = content { scalar } else { nil } }
    /// The elements, if it is a list.
    package var sequence: [YAMLNode]? { if case .sequence(let nodes) = content { nodes } else { nil } }
    /// The entries, if it is a mapping.
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

    /// Creates an entry.
    package init(key: String, keyLocation: Diagnostic.Location, value: YAMLNode) {
        self.key = key
        self.keyLocation = keyLocation
        self.value = value
    }
}

/// A text in a YAML file, as written: its meaning depends on what is expected in its place.
package struct YAMLScalar: Sendable {
    /// How it is written.
    enum Style: Sendable { case plain, singleQuoted, doubleQuoted, literal, folded }

    /// The text, with quotes and escapes resolved.
    package var text: String
    var style: Style
    /// Where the scalar begins, quotes and block indicators included.
    var start: SourceText.Position
    /// Whether the core schema may read it as a number, a boolean or null.
    package var isPlain: Bool
}
