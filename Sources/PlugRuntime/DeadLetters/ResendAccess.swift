package import CurlTransport
package import PlugCore
internal import PlugDeliver
package import PlugStorage
package import Throttling

/// What it takes to send kept records again: the destination, the token, and the state they come from.
package struct ResendAccess: Sendable {
    /// Warnings from the token's claims.
    package let warnings: [Diagnostic]
    /// The store, open to write.
    package let store: any PlugStore
    let connection: Connection
    let throttling: RequestThrottling
    let clock: any HostClock
    private let tokens: RunTokens

    /// Checks that the parts belong together; sends nothing yet.
    ///
    /// - Parameters:
    ///   - connection: The connection whose records are sent.
    ///   - token: The application token as read from the token file, `nil` to use a kept one; a newer kept one takes precedence.
    ///   - store: The store that holds the records, open to write.
    ///   - acceptsForeign: Whether a token of another PDA or application is accepted.
    ///   - transport: Carries requests to the PDA.
    ///   - clock: Time and randomness.
    /// - Throws: The errors of `TokenCheck` (77) and of the store.
    package init(
        connection: Connection,
        token: Secret?,
        acceptsForeign: Bool = false,
        store: any PlugStore,
        transport: any HTTPSending,
        clock: any HostClock = SystemClock()
    ) async throws {
        let throttling = RequestThrottling(notes: store, transport: transport, clock: clock)
        try await self.init(
            connection: connection,
            token: token,
            acceptsForeign: acceptsForeign,
            store: store,
            throttling: throttling,
            clock: clock
        )
    }

    /// The same, with the throttling that all runs of the process share.
    ///
    /// - Parameter throttling: Keeps the process from sending a PDA too many requests.
    package init(
        connection: Connection,
        token: Secret?,
        acceptsForeign: Bool = false,
        store: any PlugStore,
        throttling: RequestThrottling,
        clock: any HostClock
    ) async throws {
        (tokens, warnings) = try await RunTokens.checked(
            file: token,
            of: connection,
            acceptsForeign: acceptsForeign,
            store: store,
            clock: clock
        )
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
