internal import LosslessJSON
internal import PDAWire
internal import PlugCore
internal import PlugManifest
internal import Synchronization
internal import Syncing

/// The plugs of a host as applications: those that say enough about themselves for an owner to see.
struct PlugDirectory: ApplicationDirectory {
    private let plugs: HostPlugs
    private let address: PublicAddress

    init(_ plugs: HostPlugs, at address: PublicAddress) {
        self.plugs = plugs
        self.address = address
    }

    func definition(of id: String) async throws -> JSONValue? {
        try await definitions().first { $0["id"]?.stringText == id }
    }

    func definitions() async throws -> [JSONValue] {
        plugs.current.manifests.values.sorted { $0.id < $1.id }.compactMap { manifest in
            let (definition, findings) = Applications.examined(manifest, base: address.origin, .complete)
            return findings.contains { $0.severity == .error } ? nil : definition
        }
    }

    /// Nobody has to be told: a connection comes from its person, or from whoever runs the host.
    func registerConsent(to id: String, token: Secret) async throws {}

    /// What a plug leaves out that an owner has to see; empty where it is listed.
    static func missing(in manifest: Manifest) -> [String] {
        Applications.examined(manifest, base: nil, .complete).findings.filter { $0.severity == .error }.map(\.message)
    }
}

/// Where others reach a host: `public_url`, else where it listens, which is known when it does.
final class PublicAddress: Sendable {
    private let known: Mutex<String?>

    /// - Parameter origin: That of `public_url`.
    init(_ origin: String?) { known = Mutex(origin) }

    /// `nil` before it listens, and where it listens on all addresses: none of them is the one.
    var origin: String? { known.withLock { $0 } }

    /// Takes the address where it listens, unless another one was given.
    func listens(_ address: ListenAddress, at url: String) {
        if ["0.0.0.0", "::"].contains(address.host) { return }
        known.withLock { if $0 == nil { $0 = url } }
    }
}
