package import OAuth
internal import PlugCore

/// The OAuth clients of a host. Clients from the environment take precedence over those of `plughost.yaml`, and these over those
/// of `providers.yaml` in the state folder.
package struct HostClients: Sendable, Equatable {
    /// The clients from files, by provider.
    private let named: [String: Setting<ClientIdentity>]
    /// The clients from the environment, whose provider names are known only in capitals.
    private let variables: [ClientVariables: Setting<ClientIdentity>]

    /// No client.
    package static let none = HostClients(named: [:], variables: [:])

    private init(named: [String: Setting<ClientIdentity>], variables: [ClientVariables: Setting<ClientIdentity>]) {
        self.named = named
        self.variables = variables
    }

    /// Combines the clients of files and of the environment.
    ///
    /// - Throws: `PlugError` `file-…` (78) if a file with a secret that a variable names cannot be read.
    init(_ named: [String: Setting<ClientIdentity>], _ environment: [String: String]) throws(PlugError) {
        self.named = named
        var variables: [ClientVariables: Setting<ClientIdentity>] = [:]
        for some in ClientVariables.all(in: environment) {
            guard let client = try some.client(environment) else { continue }
            variables[some] = Setting(client, .variable(some.id))
        }
        self.variables = variables
    }

    /// The client of a provider, as plugs name it; `nil` if there is none.
    package func client(_ provider: String) -> Setting<ClientIdentity>? {
        variables[ClientVariables(provider)] ?? named[provider]
    }

    /// Every client, by provider; one that only a variable names has its name in lower case.
    package var listed: [(provider: String, client: Setting<ClientIdentity>)] {
        let known = Set(named.keys.map { ClientVariables($0) })
        let others = variables.filter { !known.contains($0.key) }
            .map { (provider: $0.key.name.lowercased().replacing("_", with: "-"), client: $0.value) }
        let files = named.map { (provider: $0.key, client: client($0.key) ?? $0.value) }
        return (files + others).sorted { $0.provider < $1.provider }
    }
}
