package import OAuth
package import PlugCore

/// A provider's client in the environment: `PLUGHOST_CLIENT_NAME_ID`, and `…_SECRET` or `…_SECRET_FILE`.
package struct ClientVariables: Sendable, Hashable {
    private static let start = "PLUGHOST_CLIENT_"
    private static let end = "_ID"

    /// The provider's name as it is spelt in variables.
    let name: String

    /// The variables of a provider: its name in capitals, with `_` for characters that a variable's name cannot have.
    package init(_ provider: String) {
        name = String(provider.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }

    private init(name: String) { self.name = name }

    /// The clients in an environment, ordered by name.
    static func all(in environment: [String: String]) -> [ClientVariables] {
        environment.keys.sorted().compactMap { key in
            guard key.hasPrefix(start), key.hasSuffix(end), key.count > start.count + end.count else { return nil }
            return ClientVariables(name: String(key.dropFirst(start.count).dropLast(end.count)))
        }
    }

    /// The variable with the id.
    var id: String { Self.start + name + Self.end }

    /// The client; `nil` if there is no id.
    ///
    /// - Throws: `PlugError` `file-…` (78).
    package func client(_ environment: [String: String]) throws(PlugError) -> ClientIdentity? {
        guard let id = environment[id], !id.isEmpty else { return nil }
        var secret = environment["\(Self.start)\(name)_SECRET"]
        if let path = environment["\(Self.start)\(name)_SECRET_FILE"] {
            secret = try Files.secret(path, failing: .configuration)
        }
        return ClientIdentity(id: id, secret: secret.flatMap { $0.isEmpty ? nil : Secret($0) })
    }
}
