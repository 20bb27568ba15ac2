package import Connecting
package import CurlTransport
package import PDAWire
package import PlugCore
package import PlugStorage
internal import ServiceLifecycle
package import Syncing
package import Throttling

/// The web server of a host. `table` lists its routes.
package struct HostServer: Service {
    /// The dependencies of a host's routes.
    package struct Means: Sendable {
        /// The host's store.
        package var store: any PlugStore
        /// The plugs that the host serves.
        package var plugs: HostPlugs
        /// The plugs as applications.
        package var directory: any ApplicationDirectory
        /// Carries requests to sources.
        package var throttling: RequestThrottling
        /// Verifies tokens of PDAs.
        package var verifier: PDATokenVerifier
        /// Which addresses PDAs may have.
        package var policy: NetworkPolicy
        /// Answers webhook calls from services.
        package var webhooks: WebhookReceiver
        /// Signalled when a connection becomes due, so that the scheduler checks immediately.
        package var bell: Bell
        /// The runs in progress.
        package var live: LiveRuns
        /// Reads tokens of PDAs as visitors.
        package var pdas: any PDAVisitorReading
        /// Throws if the host is not ready.
        package var check: @Sendable () async throws -> Void
        /// The host's current metrics, in Prometheus' text format.
        package var metrics: @Sendable () async throws -> String
        /// The time.
        package var clock: any HostClock

        /// Connects accounts at sources.
        var sources: SourceConnecting { SourceConnecting(store, plugs, throttling, clock: clock, bell: bell) }

        /// Makes and changes connections.
        var connections: HostConnections { HostConnections(store, plugs, clock: clock, bell: bell) }

        /// The dependencies of a host's routes.
        package init(
            store: any PlugStore,
            plugs: HostPlugs,
            directory: any ApplicationDirectory,
            throttling: RequestThrottling,
            verifier: PDATokenVerifier,
            policy: NetworkPolicy,
            webhooks: WebhookReceiver,
            bell: Bell,
            live: LiveRuns,
            metrics: @escaping @Sendable () async throws -> String,
            clock: any HostClock,
            check: @escaping @Sendable () async throws -> Void
        ) {
            self.store = store
            self.plugs = plugs
            self.directory = directory
            self.throttling = throttling
            self.verifier = verifier
            self.policy = policy
            self.webhooks = webhooks
            self.bell = bell
            self.live = live
            pdas = PDAVisitors(ShownTokens(store, verifier, clock: clock))
            self.metrics = metrics
            self.clock = clock
            self.check = check
        }
    }

    private let application: ServedApplication

    /// - Parameters:
    ///   - means: The dependencies of the routes.
    ///   - listen: The address to listen on; port 0 takes any free one.
    ///   - publicURL: The host's public address; `nil` for the listen address.
    ///   - proxies: The trusted reverse proxies.
    ///   - ready: Called once with the address, such as `http://127.0.0.1:22100`, when requests are accepted.
    package init(
        _ means: Means,
        listen: ListenAddress,
        publicURL: HTTPURL?,
        behind proxies: TrustedProxies,
        ready: @escaping @Sendable (String) async -> Void
    ) {
        let names = HostNames(publicURL: publicURL, listen: listen)
        let responder = HostResponder(
            Self.table(means),
            names: names,
            visitors: Self.visitors(means),
            behind: proxies,
            clock: means.clock
        )
        application = ServedApplication(responder, listen: listen) { url in
            names.listens(at: url)
            await ready(url)
        }
    }

    /// How a host identifies visitors.
    static func visitors(_ means: Means) -> HostResponder.Visitors {
        HostResponder.Visitors(means.store, pdas: means.pdas, clock: means.clock) { [plugs = means.plugs] in
            plugs.current.operators
        }
    }

    /// Every route of a host.
    package static func table(_ means: Means) -> RouteTable {
        let sessions = HostSessions(means.store, clock: means.clock)
        let links = OperatorLinks(means.store, clock: means.clock)
        return RouteTable(
            HealthRoutes(means.check).all + DirectoryRoutes(means.directory).all + PageRoutes(sessions).all
                + OperatorRoutes(links, sessions).all + OperatorPages(means).all
                + KeptRecordRoutes(means).all + LiveRoutes(means).all + RunPages(means.store).all
                + MetricsRoutes(means.metrics).all + APIRoutes(means).all + PDARoutes(means).all
                + WebhookRoutes(means.webhooks).all
                + PlugPages(means.plugs).all + PeoplePages.all(means, sessions)
        )
    }

    /// Answers requests until its service group shuts down or the task is cancelled.
    ///
    /// - Throws: `PlugError` `host-listen` (unreachable) if the address cannot be listened on.
    package func run() async throws { try await application.run() }
}
