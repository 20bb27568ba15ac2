package import PlugCore

/// A file of an operator with the OAuth clients of a host: a mapping of providers to `client_id` and `client_secret`, which
/// is a text or `{file: PATH}`.
package struct ProvidersFile: Sendable {
    /// A client, as it is written.
    package struct Client: Sendable, Equatable {
        /// Its id.
        package var id: String
        /// Its secret; `nil` for a client that has none.
        package var secret: SecretPlace?

        /// A client.
        package init(id: String, secret: SecretPlace?) {
            self.id = id
            self.secret = secret
        }
    }

    /// Where a client's secret is.
    package enum SecretPlace: Sendable, Equatable {
        /// In the file itself.
        case text(Secret)
        /// In a file of its own; a relative path begins at the folder of this file.
        case file(String)
    }

    /// The clients, by provider.
    package let clients: [String: Client]

    /// Whether the file itself holds a secret, so that only its owner may read it.
    package var holdsSecrets: Bool {
        clients.values.contains { if case .text = $0.secret { true } else { false } }
    }

    /// Reads a file's bytes.
    ///
    /// - Parameters:
    ///   - path: Its name, for messages, which quote none of its values: some of them are secret.
    /// - Throws: `PlugError` `providers-malformed` (78).
    package init(path: String, bytes: [UInt8]) throws(PlugError) {
        let tree = YAMLReader.read(bytes)
        if let diagnostic = tree.diagnostics.first(where: { $0.severity == .error }) {
            // What the parser quotes may be a secret.
            throw Self.malformed(path, diagnostic.location, "it is not YAML that plughost reads [\(diagnostic.code)]")
        }
        guard let root = tree.root, let providers = root.mapping else {
            throw Self.malformed(path, tree.root?.location, "its top level is not a mapping of providers")
        }
        var clients: [String: Client] = [:]
        for provider in providers { clients[provider.key] = try Self.client(provider, in: path) }
        self.clients = clients
    }

    private static let keys = ["client_id", "client_secret"]

    private static func client(_ provider: YAMLEntry, in path: String) throws(PlugError) -> Client {
        let name = DisplayText.escaped(provider.key)
        guard let members = provider.value.mapping else {
            throw malformed(path, provider.value.location, "'\(name)' has no mapping with client_id")
        }
        for member in members where !keys.contains(member.key) {
            throw malformed(
                path,
                member.keyLocation,
                "'\(DisplayText.escaped(member.key))' is no key of a provider",
                advice: Spelling.question(member.key, in: keys) ?? "the keys are client_id and client_secret"
            )
        }
        guard let id = provider.value["client_id"] else {
            throw malformed(path, provider.keyLocation, "'\(name)' has no client_id")
        }
        return Client(
            id: try text(id, "client_id", of: name, in: path),
            secret: try provider.value["client_secret"].map { node throws(PlugError) in
                guard let members = node.mapping else {
                    return .text(Secret(try text(node, "client_secret", of: name, in: path)))
                }
                guard let file = node["file"], members.count == 1 else {
                    throw malformed(
                        path,
                        node.location,
                        "the client_secret of '\(name)' is neither a text nor {file: PATH}"
                    )
                }
                return .file(try text(file, "file", of: name, in: path))
            }
        )
    }

    /// A text that a header can carry.
    private static func text(
        _ node: YAMLNode,
        _ what: String,
        of name: String,
        in path: String
    ) throws(PlugError) -> String {
        guard let scalar = node.scalar, !scalar.isNull, !scalar.text.isEmpty,
            scalar.text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
        else { throw malformed(path, node.location, "the \(what) of '\(name)' is not a text on one line") }
        return scalar.text
    }

    private static func malformed(
        _ path: String,
        _ location: Diagnostic.Location?,
        _ problem: String,
        advice: String = "write NAME: {client_id: …, client_secret: {file: PATH}}"
    ) -> PlugError {
        let place = location.map { "\(path):\($0.line):\($0.column)" } ?? path
        return PlugError(.providersMalformed, "\(DisplayText.escaped(place)): \(problem)", advice: advice)
    }
}
