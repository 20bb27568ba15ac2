package import PlugCore
internal import PlugManifest

/// An operator's file with the OAuth clients of a host: a mapping of providers to `client_id` and `client_secret`, which is a
/// text or `{file: PATH}`.
package struct ProvidersFile: Sendable {
    /// The clients, by provider.
    package let clients: [String: WrittenClient]

    /// Whether the file itself holds a secret, so that only its owner may read it.
    package var holdsSecrets: Bool { clients.values.contains(where: \.holdsSecret) }

    /// Reads a file's bytes.
    ///
    /// - Parameters:
    ///   - path: Its name, for messages. They quote none of its values, as some are secret.
    /// - Throws: `PlugError` `providers-malformed` (78).
    package init(path: String, bytes: [UInt8]) throws(PlugError) {
        let tree = YAMLReader.read(
            bytes,
            as: .settings("a file of OAuth clients", example: "Documentation/authorisation.md")
        )
        if let diagnostic = tree.diagnostics.first(where: { $0.severity == .error }) {
            // What the parser quotes may be a secret.
            throw Self.malformed(path, diagnostic.location, "it is not YAML that plughost reads [\(diagnostic.code)]")
        }
        guard let root = tree.root, root.mapping != nil else {
            throw Self.malformed(path, tree.root?.location, "its top level is not a mapping of providers")
        }
        let findings = Findings()
        clients = ClientReading(findings: findings).clients(root)
        if let first = findings.sorted.first(where: { $0.severity == .error }) {
            throw Self.malformed(path, first.location, first.message, advice: first.help)
        }
    }

    private static func malformed(
        _ path: String,
        _ location: Diagnostic.Location?,
        _ problem: String,
        advice: String? = nil
    ) -> PlugError {
        let place = location.map { "\(path):\($0.line):\($0.column)" } ?? path
        return PlugError(
            .providersMalformed,
            "\(DisplayText.escaped(place)): \(problem)",
            advice: advice ?? "write NAME: {client_id: …, client_secret: {file: PATH}}"
        )
    }
}
