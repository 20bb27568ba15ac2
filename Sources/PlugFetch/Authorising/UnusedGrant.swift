package import PlugCore
internal import Synchronization

/// The outcome for a grant to be renewed although no run needs it.
package enum UnusedGrantOutcome: Sendable {
    /// It was renewed, or that was not needed.
    case fresh
    /// The service calls it dead: its user has to connect again.
    case dead(PlugError, version: Int64)
    /// It could not be renewed now.
    case failed(PlugError)
}

extension DeclarativeFetcher {
    /// Renews the connection's grant if it is due: as a run would, with the same right, so that of all who want it only one sends
    /// a request.
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
