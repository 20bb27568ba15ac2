package import CurlTransport
package import PlugCore

/// What keeps a process from asking too much of others: one value for all runs of a process.
package struct RequestThrottling: Sendable {
    /// Sends requests, and spares hosts that fail.
    package let transport: GuardedTransport
    /// The rates of sources, and what they asked for.
    package let limits: SourceLimits

    /// Throttling that begins where the last process ended.
    ///
    /// - Parameters:
    ///   - keeper: Where it is remembered; `nil` remembers nothing.
    ///   - transport: Carries the requests.
    ///   - clock: Its steady time counts.
    package init(notes keeper: (any ServerNoteKeeping)?, transport: any HTTPSending, clock: any HostClock) {
        let notes = ServerNotes(keeper)
        self.transport = GuardedTransport(transport, notes: notes, clock: clock)
        limits = SourceLimits(notes: notes, clock: clock)
    }

    /// Gives back what was set aside, and writes down which hosts fail: at the end, before the store closes.
    package func settle() async {
        await limits.settle()
        await transport.settle()
    }
}
