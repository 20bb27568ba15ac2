package import CurlTransport
package import PlugCore

/// What keeps a process from sending others too many requests: one value for all its runs.
package struct RequestThrottling: Sendable {
    /// Sends requests, and spares failing hosts.
    package let transport: GuardedTransport
    /// The rates of sources, and the waits they asked for.
    package let limits: SourceLimits

    /// Throttling that starts where the last process stopped.
    ///
    /// - Parameters:
    ///   - keeper: Where its state is kept; `nil` keeps nothing.
    ///   - transport: Carries the requests.
    ///   - clock: Its steady time is used.
    package init(notes keeper: (any ServerNoteKeeping)?, transport: any HTTPSending, clock: any HostClock) {
        let notes = ServerNotes(keeper)
        self.transport = GuardedTransport(transport, notes: notes, clock: clock)
        limits = SourceLimits(notes: notes, clock: clock)
    }

    /// Returns unused leases, and records which hosts fail: at the end, before the store closes.
    package func settle() async {
        await limits.settle()
        await transport.settle()
    }
}
