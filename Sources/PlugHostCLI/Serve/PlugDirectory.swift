internal import LosslessJSON
internal import PDAWire
internal import PlugCore
internal import PlugManifest
internal import Synchronization
internal import Syncing

/// The plugs of a host as applications: those that describe themselves sufficiently for an owner, that can still be set up, and
/// whose connections this host can run.
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
        let current = plugs.current
        let open = try current.manifests.values.filter { manifest in
            try manifest.status?.state != .closed && current.lack(of: manifest) == nil
        }
        return open.sorted { $0.id < $1.id }.compactMap { manifest in
            let (definition, findings) = Applications.examined(manifest, base: address.origin, .complete)
            return findings.contains { $0.severity == .error } ? nil : definition
        }
    }

    /// Nothing to report: a connection comes from its person, or from the operator of the host.
    func registerConsent(to id: String, token: Secret) async throws {}

    /// Why a plug that describes itself to owners would not be listed for PDAs, as warnings for its author.
    static func unlisted(_ manifest: Manifest) -> [Diagnostic] {
        if manifest.application == nil || manifest.status?.state == .closed { return [] }
        return Applications.examined(manifest, base: nil, .complete).findings.filter { $0.severity == .error }.map {
            Diagnostic(
                .warning,
                $0.code,
                "no host lists the plug for PDAs: \($0.message)",
                at: $0.location,
                help: $0.help ?? "'plughost application validate' checks the application"
            )
        }
    }

    /// The details that an owner has to see and that a plug leaves out; empty if it is listed.
    static func missing(in manifest: Manifest) -> [String] {
        Applications.examined(manifest, base: nil, .complete).findings.filter { $0.severity == .error }.map(\.message)
    }
}

/// A host's public address: `public_url`, else the listen address, which is known once it listens.
final class PublicAddress: Sendable {
    private let known: Mutex<String?>

    /// - Parameter origin: The origin of `public_url`.
    init(_ origin: String?) { known = Mutex(origin) }

    /// `nil` before it listens.
    var origin: String? { known.withLock { $0 } }

    /// Sets the listen address, unless another one was given: without `public_url` a host listens only on this machine.
    func listens(at url: String) { known.withLock { if $0 == nil { $0 = url } } }
}
