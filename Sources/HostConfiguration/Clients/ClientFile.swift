package import OAuth
package import PlugCore

/// A file of OAuth clients, by provider.
package struct ClientFile {
    private let file: ProvidersFile
    private let path: String

    /// Reads the file that was named, or the default one.
    ///
    /// - Returns: `nil` if none was named and there is no default one.
    /// - Throws: `PlugError` `providers-open` if others can read the secrets in it, `providers-malformed`, `file-…` (78).
    package init?(named path: String?, folder state: String) throws(PlugError) {
        let defaultPath = "\(state)/providers.yaml"
        guard path != nil || Files.exists(defaultPath) else { return nil }
        let path = path ?? defaultPath
        let bytes = try Files.read(path, limit: 1 << 20, failing: .configuration)
        file = try ProvidersFile(path: path, bytes: bytes)
        self.path = path
        if file.holdsSecrets { try PrivateFile.check(path) }
    }

    /// A provider's client; `nil` if the file has none.
    ///
    /// - Throws: `PlugError` `providers-open`, `client-secret-empty`, `file-…` (78).
    package func client(_ provider: String) throws(PlugError) -> ClientIdentity? {
        try file.clients[provider]?.identity(in: WholeFile.folder(of: path))
    }

    /// The file, and the files that hold its clients' secrets.
    var privateFiles: [String] {
        [path] + file.clients.values.compactMap { $0.secretFile(in: WholeFile.folder(of: path)) }
    }

    /// Every client with its place.
    ///
    /// - Throws: As `client`.
    func settings() throws(PlugError) -> [String: Setting<ClientIdentity>] {
        var settings: [String: Setting<ClientIdentity>] = [:]
        for (provider, written) in file.clients {
            let identity = try written.identity(in: WholeFile.folder(of: path))
            settings[provider] = Setting(identity, .file(path, line: written.line))
        }
        return settings
    }
}
