package import CurlTransport
package import PlugCore
internal import PlugDeliver
package import PlugStorage
package import Throttling

/// What sending again needs that is kept for a connection: where to, with which token, and from which state.
package struct ResendAccess: Sendable {
    /// What the token's claims make worth saying.
    package let warnings: [Diagnostic]
    /// Where it is kept, open to write.
    package let store: any PlugStore
    let connection: Connection
    let throttling: RequestThrottling
    let clock: any HostClock
    private let tokens: RunTokens

    /// Checks that everything belongs together; sends nothing yet.
    ///
    /// - Parameters:
    ///   - connection: Whose records.
    ///   - token: The application token as the token file holds it, `nil` where a kept one has to serve; a newer one that
    ///     was kept goes before it.
    ///   - store: Where they are kept, open to write.
    ///   - transport: Carries requests to the PDA.
    ///   - clock: Time and chance.
    /// - Throws: What `TokenCheck` says (77), and what the store says.
    package init(
        connection: Connection,
        token: Secret?,
        store: any PlugStore,
        transport: any HTTPSending,
        clock: any HostClock = SystemClock()
    ) async throws {
        let throttling = RequestThrottling(notes: store, transport: transport, clock: clock)
        try await self.init(connection: connection, token: token, store: store, throttling: throttling, clock: clock)
    }

    /// The same, with what all runs of the process share.
    ///
    /// - Parameter throttling: What keeps the process from asking too much of a PDA.
    package init(
        connection: Connection,
        token: Secret?,
        store: any PlugStore,
        throttling: RequestThrottling,
        clock: any HostClock
    ) async throws {
        (tokens, warnings) = try await RunTokens.checked(file: token, of: connection, store: store, clock: clock)
        self.connection = connection
        self.store = store
        self.throttling = throttling
        self.clock = clock
    }

    /// Delivers to one namespace of the connection's PDA.
    func deliverer(to namespace: String) -> Deliverer {
        let pda = AppendOnlyPDA(
            origin: connection.pda,
            namespace: namespace,
            token: tokens,
            transport: throttling.transport,
            clock: clock
        )
        return Deliverer(pda: pda, clock: clock)
    }
}
