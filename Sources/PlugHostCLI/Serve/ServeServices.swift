internal import Connecting
internal import HostConfiguration
internal import PlugCore
internal import PlugStorage
internal import ServiceLifecycle
internal import Synchronization
internal import Syncing
internal import UnixSignals

/// The scheduler as a service.
struct ScheduledSyncs: Service {
    private let scheduler: SyncScheduler
    private let ready: Bell
    private let hurry: Bell
    private let drain: Duration
    private let clock: any HostClock

    /// - Parameters:
    ///   - ready: Signalled when the host listens: one that cannot starts no runs.
    ///   - hurry: Signalled when shutdown is requested for a second time.
    ///   - drain: How long runs may continue after shutdown was requested.
    init(_ scheduler: SyncScheduler, after ready: Bell, hurry: Bell, drain: Duration, clock: any HostClock) {
        self.scheduler = scheduler
        self.hurry = hurry
        self.ready = ready
        self.drain = drain
        self.clock = clock
    }

    func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await ready.wait()
                await scheduler.run()
            }
            group.addTask {
                // Throws if the task is cancelled: then the scheduler is, too.
                guard (try? await gracefulShutdown()) != nil else { return }
                scheduler.stop()
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { try? await clock.timeout(after: drain) }
                    group.addTask { await hurry.wait() }
                    await group.next()
                    group.cancelAll()
                }
            }
            await group.next()
            group.cancelAll()
        }
    }
}

/// Removes what is no longer needed, every hour.
struct Housekeeping: Service {
    private static let interval = Duration.seconds(3_600)
    private let store: SQLiteStore
    private let log: ServeLog
    private let clock: any HostClock

    init(_ store: SQLiteStore, _ log: ServeLog, clock: any HostClock) {
        self.store = store
        self.log = log
        self.clock = clock
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while (try? await clock.timeout(after: Self.interval)) != nil {
                do { log.pruned(try await store.prune()) } catch {
                    log.note(SyncScheduler.Event.storeFailed(StoreErrors.plugError(error)))
                }
            }
        }
    }
}

/// Reports to the service manager twice within its timeout: it restarts a process that stops reporting.
struct Watchdog: Service {
    private let manager: ServiceManager
    private let interval: Duration
    private let clock: any HostClock

    /// `nil` if the service manager does not wait for it.
    init?(_ manager: ServiceManager?, clock: any HostClock) {
        guard let manager, let patience = manager.patience else { return nil }
        self.manager = manager
        interval = patience / 2
        self.clock = clock
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            repeat { manager.tell(.alive) } while (try? await clock.timeout(after: interval)) != nil
        }
    }
}

/// Corrects due times when the clock is set back.
struct ClockWatch: Service {
    private static let interval = Duration.seconds(30)
    private let times: DueTimes
    private let log: ServeLog
    private let clock: any HostClock

    init(_ times: DueTimes, _ log: ServeLog, clock: any HostClock) {
        self.times = times
        self.log = log
        self.clock = clock
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            repeat {
                do {
                    if let found = try await times.look() { log.setBack(by: found.by, rescheduled: found.count) }
                } catch  where Task.isCancelled {
                    // The next start checks.
                } catch { log.note(SyncScheduler.Event.storeFailed(StoreErrors.plugError(error))) }
            } while (try? await clock.timeout(after: Self.interval)) != nil
        }
    }
}

/// Keeps grants alive that no run uses.
struct GrantKeeper: Service {
    private let renewals: GrantRenewals
    private let ready: Bell

    /// - Parameter ready: Signalled when the host listens: one that cannot renews nothing.
    init(_ renewals: GrantRenewals, after ready: Bell) {
        self.renewals = renewals
        self.ready = ready
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await ready.wait()
            await renewals.run()
        }
    }
}

/// Asks services whether people have consented on other devices.
struct DeviceConsentPolling: Service {
    private let connecting: SourceConnecting
    private let log: ServeLog
    private let ready: Bell

    /// - Parameter ready: Signalled when the host listens: one that cannot asks no service.
    init(_ connecting: SourceConnecting, _ log: ServeLog, after ready: Bell) {
        self.connecting = connecting
        self.log = log
        self.ready = ready
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await ready.wait()
            // It checks every second: an error is reported again only if it differs.
            let told = Mutex("")
            try? await connecting.pollDevices { error in
                let isNew = told.withLock { told in
                    defer { told = "\(error)" }
                    return told != "\(error)"
                }
                if isNew { log.note(SyncScheduler.Event.storeFailed(error)) }
            }
        }
    }
}

/// Completes unfinished rotations of the host's key: 'keys rotate' may be killed.
struct KeyRotating: Service {
    private static let interval = Duration.seconds(60)
    private let store: SQLiteStore
    private let log: ServeLog
    private let clock: any HostClock

    init(_ store: SQLiteStore, _ log: ServeLog, clock: any HostClock) {
        self.store = store
        self.log = log
        self.clock = clock
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            repeat {
                do {
                    if let receipt = try await store.resumeRotation() { log.rotated(receipt) }
                } catch { log.note(SyncScheduler.Event.storeFailed(StoreErrors.plugError(error))) }
            } while (try? await clock.timeout(after: Self.interval)) != nil
        }
    }
}

/// Reloads the configuration and the plugs at each SIGHUP.
struct PlugReloading: Service {
    private let loading: ServedPlugs
    /// The settings that the host started with.
    private let settings: HostSettings
    private let plugs: HostPlugs
    private let store: SQLiteStore
    private let times: DueTimes
    private let log: ServeLog
    private let manager: ServiceManager?

    init(
        _ loading: ServedPlugs,
        _ settings: HostSettings,
        _ plugs: HostPlugs,
        _ store: SQLiteStore,
        _ times: DueTimes,
        _ log: ServeLog,
        _ manager: ServiceManager?
    ) {
        self.loading = loading
        self.settings = settings
        self.plugs = plugs
        self.store = store
        self.times = times
        self.log = log
        self.manager = manager
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            for await _ in await UnixSignalsSequence(trapping: .sighup) {
                manager?.tell(.reloading)
                // Even if the old plugs are kept.
                defer { manager?.tell(.ready(plugs: plugs.current.manifests.count)) }
                do {
                    let current = try loading.settings()
                    var new = try loading.load(current)
                    new.programs = plugs.current.programs
                    try await store.keep(current.retention.bounds)
                    let changed = plugs.current.scheduledOtherwise(in: new)
                    plugs.replace(with: new)
                    log.reloaded(plugs.current, waiting: current.changedForRestart(from: settings))
                    log.rescheduled(try await times.reconsider(changed))
                } catch  where Task.isCancelled {
                    // The host is shutting down.
                } catch { log.refusedReload(StoreErrors.plugError(error)) }
            }
        }
    }
}

extension HostSettings.Retention {
    /// The store's settings.
    var bounds: Retention {
        var bounds = Retention()
        bounds.runs =
            switch runs.value {
            case .age(let age): .age(age)
            case .count(let count): .count(count)
            }
        (bounds.deadLetters, bounds.outbox) = (deadLetters.value, outbox.value)
        return bounds
    }
}
