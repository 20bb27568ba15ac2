internal import LosslessJSON
package import PlugCore
internal import PlugFetch
internal import PlugManifest
package import PlugStorage
internal import Throttling

/// Renews a connection's grant, with the same plug and answers as its runs.
package struct GrantRenewer: Sendable {
    /// The outcome.
    package enum Outcome: Sendable {
        /// It was renewed, or that was not needed.
        case fresh
        /// It is not wanted now; it is checked again at this time.
        case notNow(Int64)
        /// The service says it is dead: the person has to reconnect.
        case dead(PlugError, version: Int64)
        /// It could not be renewed now.
        case failed(PlugError)
    }

    /// How often to check grants that no host runs, in microseconds.
    private static let rest: Int64 = 86_400_000_000
    /// Longer waits are left to the next attempt.
    private static let longestWait = Duration.seconds(5)

    private let plugs: HostPlugs
    private let means: SyncRunner.Means

    /// - Parameters:
    ///   - plugs: The plugs that are served.
    ///   - means: What all runs share.
    package init(_ plugs: HostPlugs, _ means: SyncRunner.Means) {
        self.plugs = plugs
        self.means = means
    }

    /// Renews a grant that is due.
    ///
    /// - Throws: `CancellationError`.
    package func renew(_ due: DueRenewal) async throws -> Outcome {
        do {
            // Only the set-up has the person's answers, which the request needs. A plug that its PDA has disabled is to read
            // nothing any more.
            guard let setup = try await means.store.setup(of: due.grant.connection), setup.status != .disabled else {
                return .notNow(means.clock.now() + Self.rest)
            }
            let fetcher = try fetcher(due, setup)
            switch try await fetcher.renewUnusedGrant() {
            case .fresh: return .fresh
            case .dead(let error, let version): return .dead(error, version: version)
            case .failed(let error): return .failed(error)
            }
        } catch {
            if Task.isCancelled { throw CancellationError() }
            return .failed(StoreErrors.plugError(error))
        }
    }

    private func fetcher(_ due: DueRenewal, _ setup: ConnectionSetup) throws(PlugError) -> DeclarativeFetcher {
        let plugs = plugs.current
        let manifest = try plugs.manifest(of: due.plug, for: due.grant.connection)
        let plan = try ConnectionPlan(content: setup.content, of: due.grant.connection)
        var options = FetchOptions()
        options.connection = due.grant.connection
        options.grants = means.store
        options.clients = plugs.clients
        return try DeclarativeFetcher(
            manifest: manifest.waiting(atMost: Self.longestWait),
            config: plan.answers(for: manifest, of: due.grant.connection),
            transport: means.throttling.transport,
            clock: means.clock,
            limits: means.throttling.limits,
            options: options
        )
    }
}
