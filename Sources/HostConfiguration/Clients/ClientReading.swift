internal import PlugCore
internal import PlugManifest

/// Reads OAuth clients from a file's tree, using the table of keys.
struct ClientReading {
    let findings: Findings

    /// The clients, by provider. Invalid ones are left out and reported without any value, which may be a secret.
    func clients(_ node: YAMLNode) -> [String: WrittenClient] {
        var clients: [String: WrittenClient] = [:]
        for entry in node.mapping ?? [] {
            if !PlugName.isOne(entry.key) {
                let help = "a provider is named as plugs name it: lower-case letters, digits and hyphens, at most 64"
                // This does no harm, but no plug will ever ask for it.
                findings.warn(
                    .wrongValue,
                    "\(MessageText.key(entry.key, isSecret: !MessageText.isWord(entry.key))) is not the name of a provider",
                    at: entry.keyLocation,
                    help: help
                )
            }
            guard let keys = CheckedMapping(entry.value, HostTables.provider, at: entry.keyLocation, findings) else {
                continue
            }
            let id = keys["client_id"].flatMap { line($0, "client_id") }
            let secret = keys["client_secret"].map(secret)
            guard let id, secret != .some(nil) else { continue }
            clients[entry.key] = WrittenClient(id: id, secret: secret.flatMap(\.self), line: entry.keyLocation.line)
        }
        return clients
    }

    private func secret(_ node: YAMLNode) -> WrittenClient.SecretPlace? {
        guard node.mapping != nil else { return line(node, "client_secret").map { .text(Secret($0)) } }
        let keys = CheckedMapping(node, Shape.secretFile, at: node.location, findings)
        return keys?["file"].flatMap { line($0, "file") }.map { .file($0) }
    }

    /// A text that a header can carry.
    private func line(_ node: YAMLNode, _ key: String) -> String? {
        guard let text = node.scalar?.text else { return nil }
        if OneLine.isOne(text) { return text }
        findings.error(.wrongValue, "'\(key)' is not a text on one line", at: node.location)
        return nil
    }
}

/// Single-line texts.
enum OneLine {
    /// Whether a text is not empty and has no control character.
    static func isOne(_ text: String) -> Bool {
        !text.isEmpty && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    }
}
