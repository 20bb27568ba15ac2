internal import PlugCore
internal import PlugStorage
internal import ServiceLifecycle
internal import Syncing
internal import Throttling

/// Forgets what this host remembers of limits as soon as 'limits forget' requests it.
struct LimitsWatch: Service {
    private static let interval = Duration.seconds(5)
    private let store: SQLiteStore
    private let throttling: RequestThrottling
    private let rests: PlugRests
    private let bell: Bell
    private let log: ServeLog
    private let clock: any HostClock

    init(
        _ store: SQLiteStore,
        _ throttling: RequestThrottling,
        _ rests: PlugRests,
        _ bell: Bell,
        _ log: ServeLog,
        clock: any HostClock
    ) {
        (self.store, self.throttling, self.rests, self.bell) = (store, throttling, rests, bell)
        (self.log, self.clock) = (log, clock)
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            // Requests from before this process started do not concern it: it had remembered nothing yet.
            var seen = (try? await wishes())?.serial ?? 0
            while (try? await clock.timeout(after: Self.interval)) != nil {
                // A failing store is reported elsewhere.
                guard let wishes = try? await wishes(), let scope = wishes.news(since: seen) else { continue }
                seen = wishes.serial
                await throttling.forget(scope)
                rests.end()
                bell.ring()
                log.forgot(scope)
            }
        }
    }

    private func wishes() async throws -> ForgottenLimits {
        ForgottenLimits(try await store.serverNote(ForgottenLimits.noteName))
    }
}
