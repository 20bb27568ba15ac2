package import PlugCore
package import PlugStorage
internal import Throttling

/// Renews grants that would expire unused, several at a time, until its task is cancelled.
///
/// Due times are indexed in the store, and claimed there for a limited time: the claims of a host that dies become due again. So
/// many connections cost nothing, and a restart renews nothing twice.
package struct GrantRenewals: Sendable {
    /// Something to report to an operator.
    package enum Event: Sendable {
        /// A grant was renewed, here or elsewhere.
        case renewed(GrantID)
        /// A grant is dead: its connection waits for the person.
        case dead(GrantID, PlugError)
        /// A grant could not be renewed; it is retried at this time.
        case failed(GrantID, PlugError, again: Int64)
        /// The store failed; it is retried.
        case storeFailed(PlugError)
    }

    /// How long a claim lasts: longer than any renewal, which waits for another process for at most four minutes.
    private static let lease: Int64 = 900_000_000
    /// Another process may have stored a grant that is due earlier.
    private static let longestSleep = Duration.seconds(60)

    /// Between attempts: a quarter of an hour and then longer.
    private static let backoff = Backoff(base: .seconds(900), maximum: .seconds(6 * 3600))
    /// A day, in microseconds.
    private static let longestRest: Int64 = 86_400_000_000

    private let store: any RenewalStore
    private let parallel: Int
    private let clock: any HostClock
    private let observer: @Sendable (Event) -> Void
    private let renew: @Sendable (DueRenewal) async throws -> GrantRenewer.Outcome

    /// - Parameters:
    ///   - store: Holds the due times.
    ///   - parallel: How many grants are renewed at a time.
    ///   - clock: Time and randomness.
    ///   - observer: Called with events for an operator, from any thread.
    ///   - renew: Renews a grant; throws `CancellationError`.
    package init(
        store: any RenewalStore,
        parallel: Int = 8,
        clock: any HostClock,
        observer: @escaping @Sendable (Event) -> Void = { _ in },
        renew: @escaping @Sendable (DueRenewal) async throws -> GrantRenewer.Outcome
    ) {
        self.store = store
        self.parallel = max(1, parallel)
        self.clock = clock
        self.observer = observer
        self.renew = renew
    }

    /// Works until the task is cancelled.
    package func run() async {
        var hasFailed = false
        while !Task.isCancelled {
            do {
                let count = try await renewDue()
                hasFailed = false
                if count == 0 { try await sleep() }
            } catch {
                if Task.isCancelled { return }
                // Reported once: a full disk would be reported every minute.
                if !hasFailed { observer(.storeFailed(StoreErrors.plugError(error))) }
                hasFailed = true
                try? await clock.sleep(for: Self.longestSleep)
            }
        }
    }

    /// Renews what is due now, up to `parallel` at a time.
    ///
    /// - Returns: How many were due.
    package func renewDue() async throws -> Int {
        let now = clock.now()
        let due = try await store.claimRenewals(at: now, until: now + Self.lease, limit: parallel)
        try await withThrowingDiscardingTaskGroup { group in
            for renewal in due { group.addTask { try await work(renewal) } }
        }
        return due.count
    }

    private func work(_ due: DueRenewal) async throws {
        let outcome: GrantRenewer.Outcome
        do { outcome = try await renew(due) } catch is CancellationError {
            // The next host takes it over at once.
            return try await store.endRenewal(due, .again(clock.now()))
        }
        let now = clock.now()
        switch outcome {
        case .fresh:
            try await store.endRenewal(due, .done)
            observer(.renewed(due.grant))
        case .notNow(let time): try await store.endRenewal(due, .again(time))
        case .dead(let error, let version):
            try await store.endRenewal(due, .reconnect(version: version, at: now))
            observer(.dead(due.grant, error))
        case .failed(let error):
            let wait = Self.backoff.wait(after: due.tries + 1, random: 0.5 + clock.random() / 2)
            let again = now + wait.wholeMicroseconds
            // A longer requested wait is not accepted: the grant would be dead by then.
            let time = max(again, min(error.retryAt ?? 0, now + Self.longestRest))
            try await store.endRenewal(due, .again(time))
            observer(.failed(due.grant, error, again: time))
        }
    }

    private func sleep() async throws {
        let next = try await store.nextRenewal() ?? .max
        let now = clock.now()
        let left = next <= now ? Duration.zero : Duration.microseconds(min(next - now, 60_000_000))
        try await clock.sleep(for: min(left, Self.longestSleep))
    }
}
