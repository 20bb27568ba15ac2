internal import PlugCore

/// How long to wait for something others hold: checks at intervals until it is free or the time is up.
struct Patience: Sendable {
    private static let interval = Duration.milliseconds(50)
    private let wait: Duration
    private let clock: any HostClock

    init(_ wait: Duration, _ clock: any HostClock) {
        self.wait = wait
        self.clock = clock
    }

    /// Tries until `state-locked` is no longer thrown.
    ///
    /// - Throws: The last attempt's error, or `interrupted` if the task is cancelled in the meantime.
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
