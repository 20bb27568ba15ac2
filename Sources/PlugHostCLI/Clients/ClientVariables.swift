internal import OAuth
internal import PlugCore

/// A provider's client in the environment: `PLUGHOST_CLIENT_NAME_ID`, and `…_SECRET` or `…_SECRET_FILE`.
struct ClientVariables {
    /// What the names begin with.
    private let prefix: String

    /// The variables of a provider: its name in capitals, with `_` for what no name of a variable has.
    init(_ provider: String) {
        let name = provider.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
        prefix = "PLUGHOST_CLIENT_\(String(name))_"
    }

    /// The client, `nil` where there is no id.
    ///
    /// - Throws: `PlugError` `file-…` (78).
    func client(_ environment: [String: String]) throws(PlugError) -> ClientIdentity? {
        guard let id = environment[prefix + "ID"], !id.isEmpty else { return nil }
        var secret = environment[prefix + "SECRET"]
        if let path = environment[prefix + "SECRET_FILE"] { secret = try Files.secret(path, failing: .configuration) }
        return ClientIdentity(id: id, secret: secret.flatMap { $0.isEmpty ? nil : Secret($0) })
    }
}
