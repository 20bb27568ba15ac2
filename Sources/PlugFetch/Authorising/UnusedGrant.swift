package import PlugCore
internal import Synchronization

/// What became of a grant that was to be renewed although no run needs it.
package enum UnusedGrantOutcome: Sendable {
    /// It was renewed, or that was not needed.
    case fresh
    /// The service calls it dead: its person has to connect again.
    case dead(PlugError, version: Int64)
    /// It could not be renewed now.
    case failed(PlugError)
}

extension DeclarativeFetcher {
    /// Renews the connection's grant if its time has come: as a run would, with the same right, so that of all who want it one
    /// asks.
    ///
    /// - Throws: `CancellationError`.
    package func renewUnusedGrant() async throws -> UnusedGrantOutcome {
        guard let tokens = exchange.tokens else { return .fresh }
        do {
            try await tokens.renewUnused(through: exchange)
            return .fresh
        } catch let error as PlugError {
            if tokens.kept?.isDead == true, let version = tokens.state.withLock({ $0.version }) {
                return .dead(error, version: version)
            }
            return .failed(error)
        }
    }
}
