internal import Glibc
internal import OAuth
internal import PlugCore
internal import PlugManifest

/// A file of OAuth clients, by provider.
struct ClientFile {
    private let file: ProvidersFile
    /// Where relative paths begin.
    private let folder: String

    /// Reads a file that was named, or the usual one.
    ///
    /// - Returns: `nil` if none was named and there is no usual one.
    /// - Throws: `PlugError` `providers-open` if others can read the secrets in it, `providers-malformed`, `file-…` (78).
    init?(named path: String?, folder state: String) throws(PlugError) {
        let usual = "\(state)/providers.yaml"
        guard path != nil || Files.exists(usual) else { return nil }
        let path = path ?? usual
        let bytes = try Files.read(path, limit: 1 << 20, failing: .configuration)
        file = try ProvidersFile(path: path, bytes: bytes)
        folder = path.contains("/") ? String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) : "."
        if file.holdsSecrets { try Self.checkIsPrivate(path) }
    }

    /// A provider's client, `nil` if the file has none.
    ///
    /// - Throws: `PlugError` `providers-open`, `file-…` (78).
    func client(_ provider: String) throws(PlugError) -> ClientIdentity? {
        guard let client = file.clients[provider] else { return nil }
        let secret: Secret?
        switch client.secret {
        case nil: secret = nil
        case .text(let text): secret = text
        case .file(let name):
            let path = name.hasPrefix("/") ? name : "\(folder)/\(name)"
            let text = try Files.secret(path, failing: .configuration)
            try Self.checkIsPrivate(path)
            secret = Secret(text)
        }
        return ClientIdentity(id: client.id, secret: secret)
    }

    /// - Throws: `PlugError` `providers-open` if the file's group or others can read it.
    private static func checkIsPrivate(_ path: String) throws(PlugError) {
        var status = stat()
        // Fills the structure, or gives -1 where the file has gone meanwhile: then nobody reads it.
        guard stat(path, &status) == 0, status.st_mode & (S_IRGRP | S_IWGRP | S_IROTH | S_IWOTH) != 0 else { return }
        throw PlugError(
            .providersOpen,
            "\(DisplayText.escaped(path)) holds a client's secret, and others on this machine can read or change it",
            advice: "run: chmod 600 \(DisplayText.escaped(path))"
        )
    }
}
