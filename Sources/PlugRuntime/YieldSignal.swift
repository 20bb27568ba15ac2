internal import PlugCore

/// Asks a run to end after its current page, because others wait for its place. The next run continues from there.
package final class YieldSignal: Sendable {
    private let asked = Latch()

    /// Creates a signal that has not been given.
    package init() {}

    /// Gives the signal.
    package func ask() { asked.set() }

    /// Whether the signal was given.
    package var isAsked: Bool { asked.isSet }

    /// Ends a stream between two pages if the signal was given.
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
