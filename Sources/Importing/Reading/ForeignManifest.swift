package import PlugCore
package import PlugManifest

/// A declarative manifest of another system as a tree with lines.
package struct ForeignManifest: Sendable {
    /// No manifest is larger: the largest in a public catalogue has 1.3 MB, most of it schemas.
    package static let byteLimit = 16 << 20
    /// The most nodes, with aliases expanded.
    static let nodeLimit = 1_000_000
    /// Schemas are nested deeply.
    static let depthLimit = 96

    /// The root.
    package let root: YAMLNode
    /// The line where it begins.
    var line: Int { root.location.line }

    /// Reads a file's bytes.
    ///
    /// - Parameter name: The file's name, for messages.
    /// - Throws: `PlugError` `import-unreadable`.
    package init(_ bytes: [UInt8], name: String) throws(PlugError) {
        let kind = YAMLKind.foreign(
            "a manifest to import",
            byteLimit: Self.byteLimit,
            nodeLimit: Self.nodeLimit,
            depthLimit: Self.depthLimit
        )
        let result = YAMLReader.read(bytes, as: kind)
        let finding = result.diagnostics.first
        guard let root = result.root, finding == nil else {
            let place = finding?.location.map { ":\($0.line):\($0.column)" } ?? ""
            throw PlugError(
                .importUnreadable,
                "\(name)\(place): \(finding?.message ?? "the file is empty")",
                advice: finding?.help ?? "name the manifest.yaml of a declarative connector"
            )
        }
        guard root.mapping != nil, root["streams"] != nil || root["dynamic_streams"] != nil else {
            throw PlugError(
                .importUnreadable,
                "\(name) is not a declarative manifest: it has no 'streams'",
                advice:
                    "name the manifest.yaml of a declarative connector; a description in OpenAPI is for 'plughost init --openapi'"
            )
        }
        self.root = root
    }
}
