package import LosslessJSON
package import PlugCore

/// A file with config values: a mapping of names to texts, numbers, booleans and lists of them, in JSON or YAML.
package struct ConfigFile: Sendable {
    /// One value, as written.
    package struct Entry: Sendable {
        /// The key in `config`.
        package var name: String
        /// The value's text, for a list a JSON array; the field's type decides how it is read.
        package var text: String
        /// Whether it is written as a list.
        package var isList = false
        /// `FILE:LINE:COLUMN`, or the file if its format has no positions.
        package var place: String
    }

    /// The values, in file order; those that are `null` are left out.
    package let entries: [Entry]

    /// Reads a file's bytes.
    ///
    /// - Parameters:
    ///   - path: Its name, for messages, which never quote its values: some of them may be secret.
    /// - Throws: `PlugError` `config-file-malformed` (78).
    package init(path: String, bytes: [UInt8]) throws(PlugError) {
        if let value = try? JSONValue(parsing: bytes) {
            guard let object = value.object else { throw Self.malformed(path, "its top level is not an object") }
            try self.init(path: path, object: object)
        } else {
            self.init(entries: try Self.lines(path, bytes))
        }
    }

    private init(entries: [Entry]) { self.entries = entries }

    private static func lines(_ path: String, _ bytes: [UInt8]) throws(PlugError) -> [Entry] {
        var entries: [Entry] = []
        let tree = YAMLReader.read(bytes, as: .settings("a file of answers", example: "Documentation/command-line.md"))
        if let diagnostic = tree.diagnostics.first(where: { $0.severity == .error }) {
            throw malformed(place(path, diagnostic.location), diagnostic.message)
        }
        guard let mapping = tree.root?.mapping else {
            throw malformed(path, "its top level is not a mapping of names to values")
        }
        for entry in mapping {
            let place = place(path, entry.keyLocation)
            if let nodes = entry.value.sequence {
                let elements = nodes.map { $0.scalar.flatMap { $0.isNull ? nil : JSONValue.text($0.text) } }
                let texts = elements.compactMap(\.self)
                guard texts.count == elements.count else {
                    throw malformed(Self.place(path, entry.value.location), notSingle(entry.key))
                }
                let text = JSONValue.array(texts).compactText
                entries.append(Entry(name: entry.key, text: text, isList: true, place: place))
                continue
            }
            guard let scalar = entry.value.scalar else {
                throw malformed(Self.place(path, entry.value.location), notSingle(entry.key))
            }
            if scalar.isNull { continue }
            entries.append(Entry(name: entry.key, text: scalar.text, place: place))
        }
        return entries
    }

    /// Reads values from an object.
    ///
    /// - Parameter path: Its path, for messages.
    /// - Throws: `PlugError` `config-file-malformed` (78).
    package init(path: String, object: JSONObject) throws(PlugError) {
        var entries: [Entry] = []
        for (key, value) in object.members {
            let text: String
            switch value {
            case .null: continue
            case .string(let string): text = string.text
            case .number, .bool: text = value.compactText
            case .array(let elements):
                let isFlat = elements.allSatisfy { $0.elements == nil && $0.object == nil && !$0.isNull }
                guard isFlat else { throw Self.malformed(path, Self.notSingle(key.text)) }
                entries.append(Entry(name: key.text, text: value.compactText, isList: true, place: path))
                continue
            case .object: throw Self.malformed(path, Self.notSingle(key.text))
            }
            entries.append(Entry(name: key.text, text: text, place: path))
        }
        self.entries = entries
    }

    private static func notSingle(_ name: String) -> String {
        "the value of '\(DisplayText.escaped(name))' is neither a single value nor a list of them"
    }

    private static func place(_ path: String, _ location: Diagnostic.Location?) -> String {
        location.map { "\(path):\($0.line):\($0.column)" } ?? path
    }

    private static func malformed(_ place: String, _ problem: String) -> PlugError {
        PlugError(
            .configFileMalformed,
            "\(place): \(problem)",
            advice: "write a line 'name: value' for each, or a JSON object; a list is written [a, b]"
        )
    }
}
