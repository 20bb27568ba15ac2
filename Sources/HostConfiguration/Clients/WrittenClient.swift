package import OAuth
package import PlugCore

/// An OAuth client as an operator wrote it.
package struct WrittenClient: Sendable, Equatable {
    /// Its id.
    package var id: String
    /// Its secret; `nil` for a client that has none.
    package var secret: SecretPlace?
    /// The line of the provider's name.
    package var line: Int

    /// A client.
    package init(id: String, secret: SecretPlace?, line: Int) {
        self.id = id
        self.secret = secret
        self.line = line
    }

    /// Where a client's secret is kept.
    package enum SecretPlace: Sendable, Equatable {
        /// In the file itself.
        case text(Secret)
        /// In a file of its own.
        case file(String)
    }

    /// Whether the file itself holds the secret, so that only its owner may read it.
    var holdsSecret: Bool { if case .text = secret { true } else { false } }

    /// The file that holds its secret; `nil` if none does.
    func secretFile(in folder: String) -> String? {
        guard case .file(let name) = secret else { return nil }
        return name.hasPrefix("/") ? name : "\(folder)/\(name)"
    }

    /// The client with its secret.
    ///
    /// - Parameter folder: The base of relative paths.
    /// - Throws: `PlugError` `providers-open`, `client-secret-empty`, `file-…` (78).
    package func identity(in folder: String) throws(PlugError) -> ClientIdentity {
        switch secret {
        case nil: return ClientIdentity(id: id)
        case .text(let text): return ClientIdentity(id: id, secret: text)
        case .file(let name):
            let path = secretFile(in: folder) ?? name
            let text = try Files.secret(path, failing: .configuration)
            try PrivateFile.check(path)
            guard !text.isEmpty else {
                throw PlugError(
                    .clientSecretEmpty,
                    "\(DisplayText.escaped(path)) is empty",
                    advice: "write the client's secret into it, or leave out client_secret"
                )
            }
            return ClientIdentity(id: id, secret: Secret(text))
        }
    }
}
