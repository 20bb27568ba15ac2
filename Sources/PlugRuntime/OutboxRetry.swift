public import HTTPTransport
public import PlugCore
internal import PlugDeliver
public import PlugStore

/// Sends what waits in a connection's outbox, at a person's command and without reading the source.
public struct OutboxRetry: Sendable {
    /// What the token's claims make worth saying.
    public let warnings: [Diagnostic]
    private let connection: Connection
    private let tokens: RunTokens
    private let store: any PlugStore
    private let politeness: Politeness
    private let clock: any HostClock

    /// Checks that everything belongs together; sends nothing yet.
    ///
    /// - Parameters:
    ///   - connection: Whose outbox.
    ///   - token: The application token as the token file holds it; a newer one that was kept goes before it.
    ///   - store: Where it is kept, open to write.
    ///   - transport: Carries requests to the PDA.
    ///   - clock: Time and chance.
    /// - Throws: What `TokenCheck` says (77), and what the store says.
    public init(
        connection: Connection,
        token: Secret?,
        store: any PlugStore,
        transport: any HTTPSending,
        clock: any HostClock = SystemClock()
    ) async throws {
        (tokens, warnings) = try await RunTokens.checked(file: token, of: connection, store: store, clock: clock)
        self.connection = connection
        self.store = store
        politeness = Politeness(store: store, transport: transport, clock: clock)
        self.clock = clock
    }

    /// Sends everything, oldest first.
    ///
    /// - Returns: What became of it, and the error that keeps the rest waiting.
    /// - Throws: `PlugError`: what the store says.
    public func run() async throws -> (tally: OutboxTally, error: PlugError?) {
        let outbox = ConnectionOutbox(connection.id, store: store, limits: OutboxLimits(), clock: clock) { namespace in
            let pda = AppendOnlyPDA(
                origin: connection.pda,
                namespace: namespace,
                token: tokens,
                transport: politeness.transport,
                clock: clock
            )
            return Deliverer(pda: pda, clock: clock)
        }
        var stop: PlugError?
        do {
            try await outbox.drainAll(try await store.outboxes(of: connection.id))
            try await outbox.drainRest()
        } catch let error as PlugError { stop = error }
        await politeness.settle()
        let (tally, waiting) = try await outbox.end()
        return (tally, stop ?? waiting)
    }
}
