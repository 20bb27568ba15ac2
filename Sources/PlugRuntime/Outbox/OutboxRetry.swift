package import PlugCore
internal import PlugStorage
internal import Throttling

/// Sends what waits in a connection's outbox, at a person's request and without reading the source.
package struct OutboxRetry: Sendable {
    private let access: ResendAccess

    /// Prepares to retry everything that waits.
    package init(_ access: ResendAccess) { self.access = access }

    /// Sends everything, oldest first.
    ///
    /// - Returns: The result, and the error that keeps the rest waiting.
    /// - Throws: `PlugError`: the store's errors.
    package func run() async throws -> (tally: OutboxTally, error: PlugError?) {
        let connection = access.connection.id
        let outbox = ConnectionOutbox(
            connection,
            store: access.store,
            limits: OutboxLimits(),
            clock: access.clock,
            makeDeliverer: access.deliverer
        )
        var stop: PlugError?
        do {
            try await outbox.drainAll(try await access.store.outboxes(of: connection))
            try await outbox.drainRest()
        } catch let error as PlugError { stop = error }
        await access.throttling.settle()
        let (tally, waiting) = try await outbox.end()
        return (tally, stop ?? waiting)
    }
}
