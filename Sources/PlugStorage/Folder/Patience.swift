internal import PlugCore

/// How long somebody waits for what others hold: a look every so often, until it is free or the time is over.
struct Patience: Sendable {
    private static let interval = Duration.milliseconds(50)
    private let wait: Duration
    private let clock: any HostClock

    init(_ wait: Duration, _ clock: any HostClock) {
        self.wait = wait
        self.clock = clock
    }

    /// Tries until it throws no `state-locked` any more.
    ///
    /// - Throws: What the last attempt threw, `interrupted` where the task is cancelled meanwhile.
    func untilFree<Value>(_ attempt: () async throws(PlugError) -> Value) async throws(PlugError) -> Value {
        var left = wait
        while true {
            do { return try await attempt() } catch {
                guard error.isLockedState, left > .zero else { throw error }
            }
            do { try await clock.sleep(for: min(left, Self.interval)) } catch {
                throw PlugError(.interrupted, "interrupted while waiting for the state")
            }
            left -= Self.interval
        }
    }
}
