package import PlugCore
package import PlugRuntime
package import PlugStorage

/// Runs connections when they are due, up to `parallel` at a time, until its task is cancelled.
///
/// Due times are in the store, and work is claimed there for a limited time: the claims of a host that dies become due again. The
/// claim of a longer run is extended.
///
/// Plugs share the slots: a free one goes to the plug that has the fewest, and no plug takes the last quarter from others whose
/// runs may come due at any time. If all slots are taken and others are due, long runs make room between two pages.
package struct SyncScheduler: Sendable {
    /// Something to report to an operator.
    package enum Event: Sendable {
        /// This many claims left by a stopped host are due again; some of them later, because they made hosts crash.
        case tookUp(ReleasedClaims)
        /// The store failed; it is retried.
        case storeFailed(PlugError)
        /// The store works again.
        case storeRecovered
        /// The connection was changed during its run: the run's result does not affect its schedule.
        case overtaken(ConnectionID)
    }

    /// How long a claim lasts, and so how long the connections of a host that dies stay idle, unless it starts again.
    private static let lease = Duration.seconds(600)
    /// How long the scheduler sleeps at most: another process may have changed due times.
    private static let longestSleep = Duration.seconds(5)
    /// How long a run keeps its slot while others wait.
    private static let slice = Duration.seconds(15)
    /// How many connections are claimed in one transaction.
    private static let claimLimit = 256

    private let store: any SetupStore
    private let parallel: Int
    private let clock: any HostClock
    private let bell: Bell
    private let rests: PlugRests
    private let observer: @Sendable (Event) -> Void
    private let sync: @Sendable (DueClaim, YieldSignal) async -> ClaimEnd
    private let end = Latch()

    /// - Parameters:
    ///   - store: Holds the due times.
    ///   - parallel: How many connections run at a time.
    ///   - clock: Time.
    ///   - bell: Rung when a connection has been made due.
    ///   - rests: Plugs that are not to start any runs for now.
    ///   - observer: Called with events for an operator, from any thread.
    ///   - sync: Runs a connection and returns what follows. It ends soon in a cancelled task, and between two pages if the
    ///     signal asks it to.
    package init(
        store: any SetupStore,
        parallel: Int,
        clock: any HostClock,
        bell: Bell = Bell(),
        rests: PlugRests = PlugRests(),
        observer: @escaping @Sendable (Event) -> Void = { _ in },
        sync: @escaping @Sendable (DueClaim, YieldSignal) async -> ClaimEnd
    ) {
        self.store = store
        self.parallel = max(1, parallel)
        self.clock = clock
        self.bell = bell
        self.rests = rests
        self.observer = observer
        self.sync = sync
    }

    /// Works until it is stopped and the active runs have ended, or until the task is cancelled: they then end as interrupted,
    /// and their connections are due at once.
    package func run() async {
        await takeUp()
        let active = ActiveClaims()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await extend(active) }
            group.addTask { await work(active) }
            // Extending never ends.
            await group.next()
            group.cancelAll()
        }
    }

    /// Starts no more runs.
    package func stop() {
        end.set()
        bell.ring()
    }

    private func work(_ active: ActiveClaims) async {
        var hasFailed = false
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled, !end.isSet {
                let found: DueClaims
                do { found = try await claim(active) } catch {
                    // Reported once: the store is asked again and again for whatever is due.
                    if !hasFailed, !Task.isCancelled { observer(.storeFailed(StoreErrors.plugError(error))) }
                    hasFailed = true
                    try? await clock.sleep(for: Self.longestSleep)
                    continue
                }
                if hasFailed { observer(.storeRecovered) }
                hasFailed = false
                // A connection that is still running takes over the new claim, and runs again when it has ended.
                for claim in found.claims {
                    guard let yielding = active.begin(claim, at: clock.steady().microseconds) else { continue }
                    group.addTask {
                        await work(claim, yielding, active)
                        bell.ring()
                    }
                }
                if active.count >= parallel {
                    await sleep(until: clock.now() + Self.slice.wholeMicroseconds)
                    await makeRoom(active)
                } else if found.claims.isEmpty {
                    await sleep(until: found.next)
                }
            }
        }
    }

    /// Asks the longest-lasting run to make room if others wait for a slot.
    private func makeRoom(_ active: ActiveClaims) async {
        guard active.count >= parallel else { return }
        let long = clock.steady().microseconds - Self.slice.wholeMicroseconds
        // If this cannot be read now, the next claim finds it.
        guard let due = try? await store.claimDue(wish(active, limit: 0)).next, due <= clock.now() else { return }
        active.yield(begunBefore: long)
    }

    /// Makes the last host's claims due again.
    private func takeUp() async {
        if Task.isCancelled { return }
        do {
            let released = try await store.releaseClaims(at: clock.now())
            if released.count > 0 { observer(.tookUp(released)) }
        } catch { observer(.storeFailed(StoreErrors.plugError(error))) }
    }

    private func claim(_ active: ActiveClaims) async throws -> DueClaims {
        let free = parallel - active.count
        guard free > 0 else { return DueClaims(claims: [], next: nil) }
        let wish = wish(active, limit: min(free, Self.claimLimit))
        var found = try await store.claimDue(wish)
        found.next = [found.next, rests.current(at: wish.at).end].compactMap(\.self).min()
        return found
    }

    private func wish(_ active: ActiveClaims, limit: Int) -> ClaimWish {
        var wish = ClaimWish(at: clock.now(), until: now(after: Self.lease), limit: limit)
        wish.running = active.places
        wish.mostOfOne = max(1, parallel - max(1, parallel / 4))
        wish.resting = rests.current(at: wish.at).plugs
        return wish
    }

    private func now(after duration: Duration) -> Int64 { clock.now() + duration.wholeMicroseconds }

    /// Sleeps until something is due, or the bell rings.
    private func sleep(until due: Int64?) async {
        let left = Duration.microseconds(max(0, (due ?? .max) - max(0, clock.now())))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await bell.wait() }
            // A cancelled wait has also ended.
            group.addTask { try? await clock.sleep(for: min(left, Self.longestSleep)) }
            await group.next()
            group.cancelAll()
        }
    }

    private func work(_ claim: DueClaim, _ yielding: YieldSignal, _ active: ActiveClaims) async {
        let end = await sync(claim, yielding)
        var hasFailed = false
        while true {
            let (newest, isWantedAgain) = active.newest(claim)
            // It was requested during its run, or the claim expired while it continued.
            let kept =
                isWantedAgain ? ClaimEnd(status: .active, dueAt: clock.now(), ranAt: end.ranAt, at: end.at) : end
            do {
                // Written even in a cancelled task, like every store write.
                if try await !store.endClaim(newest, kept) { observer(.overtaken(claim.connection)) }
                if hasFailed { observer(.storeRecovered) }
            } catch {
                if !hasFailed { observer(.storeFailed(StoreErrors.plugError(error))) }
                hasFailed = true
                // Retried until the store works again. A host that stops leaves it to the next start.
                if (try? await clock.sleep(for: Self.longestSleep)) != nil { continue }
            }
            if active.end(newest) { return }
        }
    }

    /// Extends the claims of long runs.
    private func extend(_ active: ActiveClaims) async {
        while (try? await clock.timeout(after: Self.lease / 3)) != nil {
            for claim in active.all {
                // If the claim is lost, the end of the run reports it.
                do { _ = try await store.extendClaim(claim, until: now(after: Self.lease)) } catch {
                    observer(.storeFailed(StoreErrors.plugError(error)))
                }
            }
        }
    }
}
