internal import PlugCore

/// The machine's time, where every wait lasts a day: for tests that a time-out must not end.
package struct PatientClock: HostClock {
    private let system = SystemClock()

    /// The machine's clock with longer waits.
    package init() {}

    /// The machine's time.
    package func now() -> Int64 { system.now() }
    /// The system's.
    package func random() -> Double { system.random() }
    /// Waits until the task is cancelled, or a day.
    package func sleep(for duration: Duration) async throws { try await system.sleep(for: .seconds(86_400)) }
}
