public import HTTPTransport
public import PlugCore
public import PlugFetch
public import PlugStore

/// What keeps a process from asking too much of others: one value for all runs of a process.
public struct Politeness: Sendable {
    /// Sends requests, and spares hosts that fail.
    public let transport: GuardedTransport
    /// The rates of sources, and what they asked for.
    public let limits: SourceLimits

    /// Politeness that begins where the last process ended.
    ///
    /// - Parameters:
    ///   - store: Where it is remembered; `nil` remembers nothing.
    ///   - transport: Carries the requests.
    ///   - clock: Its steady time counts.
    public init(store: (any PlugStore)?, transport: any HTTPSending, clock: any HostClock) {
        let notes = ServerNotes(store)
        self.transport = GuardedTransport(transport, notes: notes, clock: clock)
        limits = SourceLimits(notes: notes, clock: clock)
    }

    /// Gives back what was set aside, and writes down which hosts fail: at the end, before the store closes.
    public func settle() async {
        await limits.settle()
        await transport.settle()
    }
}
