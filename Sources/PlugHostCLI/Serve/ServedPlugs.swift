internal import LosslessJSON
internal import PDAWire
internal import PlugCore
internal import PlugManifest
internal import Syncing

/// Reads the plugs that a host serves.
struct ServedPlugs: Sendable {
    let paths: [String]
    let clients: ClientOptions
    let state: StateOptions
    let context: CommandContext

    /// Reads all of them; the findings of those with errors go to stderr.
    ///
    /// - Throws: `PlugError` `manifest-…`, `plug-twice`, and what reading OAuth clients throws (78).
    func load() throws(PlugError) -> HostPlugs.Content {
        var manifests: [Manifest] = []
        for path in paths {
            let manifest = try Manifests.load(path, in: context)
            if let other = manifests.first(where: { $0.id == manifest.id }) {
                throw PlugError(
                    .plugTwice,
                    "two plugs are called '\(manifest.id)': \(other.source.path) and \(manifest.source.path)",
                    advice: "leave one of them out, or change its 'plug'"
                )
            }
            manifests.append(manifest)
        }
        return HostPlugs.Content(manifests, clients: try clients.clients(of: manifests, in: state, context))
    }
}

/// The plugs of a host as applications: those that say enough about themselves for an owner to see.
struct PlugDirectory: ApplicationDirectory {
    private let plugs: HostPlugs

    init(_ plugs: HostPlugs) { self.plugs = plugs }

    func definition(of id: String) async throws -> JSONValue? {
        try await definitions().first { $0["id"]?.stringText == id }
    }

    func definitions() async throws -> [JSONValue] {
        plugs.current.manifests.values.sorted { $0.id < $1.id }.compactMap { manifest in
            let (definition, findings) = Applications.examined(manifest, base: nil, .complete)
            return findings.contains { $0.severity == .error } ? nil : definition
        }
    }

    /// Nobody has to be told: a set-up comes from 'connection add'.
    func registerConsent(to id: String, token: Secret) async throws {}
}
