package import OAuth
package import PlugCore
package import PlugFetch
package import PlugManifest
internal import Synchronization

/// The plugs that a host serves, replaced as a whole by a reload.
package final class HostPlugs: Sendable {
    /// Plugs, with their settings.
    package struct Content: Sendable {
        /// The plugs by id.
        package var manifests: [String: Manifest]
        /// The OAuth clients of this host, by provider.
        package var clients: [String: ClientIdentity]
        /// When they run, unless something else says so.
        package var rhythm: HostRhythm
        /// The resources for plugs' programs; `nil` if nothing is known about them.
        package var programs: ProgramPolicy?
        /// Who may be an operator of the host; if empty, anyone who has logged in as one.
        package var operators: [String]

        /// Plugs.
        package init(
            _ manifests: [Manifest],
            clients: [String: ClientIdentity],
            rhythm: HostRhythm = HostRhythm(),
            operators: [String] = []
        ) {
            self.rhythm = rhythm
            self.operators = operators
            self.manifests = Dictionary(manifests.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
            self.clients = clients
        }

        /// The plugs that run at other times in another content, including those that only it has.
        package func scheduledOtherwise(in other: Content) -> Set<String> {
            if rhythm != other.rhythm { return Set(other.manifests.keys) }
            return Set(other.manifests.filter { Self.times($0.value) != manifests[$0.key].map(Self.times) }.keys)
        }

        private static func times(_ manifest: Manifest) -> [String: Duration?] {
            Dictionary(
                manifest.streams.filter { $0.path != nil }.map { ($0.name, $0.options.every) },
                uniquingKeysWith: { first, _ in first }
            )
        }

        /// A connection's plug.
        ///
        /// - Throws: `PlugError` `plug-not-served` if the host does not have it.
        package func manifest(of plug: String, for connection: ConnectionID) throws(PlugError) -> Manifest {
            if let manifest = manifests[plug] { return manifest }
            throw PlugError(
                .plugNotServed,
                "the plug '\(DisplayText.escaped(plug))' of connection '\(DisplayText.escaped(connection.name))' is not among "
                    + "the host's plugs",
                advice: "add its folder to 'plugs' and reload the host"
            )
        }
    }

    private let content: Mutex<Content>

    /// Serves these plugs.
    package init(_ content: Content) { self.content = Mutex(content) }

    /// The current plugs. Active runs keep those they began with.
    package var current: Content { content.withLock { $0 } }

    /// Serves other plugs from now on.
    package func replace(with content: Content) { self.content.withLock { $0 = content } }
}
