internal import PlugCore
internal import Synchronization

/// Asks a run to end after its present page, because others wait for its place. It goes on there the next time.
package final class YieldSignal: Sendable {
    private let asked = Mutex(false)

    /// Nobody has asked.
    package init() {}

    /// Asks.
    package func ask() { asked.withLock { $0 = true } }

    /// Whether somebody has asked.
    package var isAsked: Bool { asked.withLock { $0 } }

    /// Ends a stream between two pages where somebody has asked.
    ///
    /// - Throws: `PlugError` `run-yielded`.
    func check() throws(PlugError) {
        guard isAsked else { return }
        throw PlugError(
            .runYielded,
            "the run made room for others that were due",
            advice: "it continues where it stopped as soon as a place is free",
            reach: .run
        )
    }
}
