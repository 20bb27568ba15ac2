public import HTTPTransport
public import PlugCore
public import PlugFetch
public import PlugStore

/// What keeps a process from asking too much of others: one value for all runs of a process.
public struct RequestThrottling: Sendable {
    /// Sends requests, and spares hosts that fail.
    public let transport: GuardedTransport
    /// The rates of sources, and what they asked for.
    public let limits: SourceLimits
    /// The memory that pages may take.
    let room: PageRoom

    /// What pages of all runs of a process may take of memory, unless it is said otherwise: beside what a process takes
    /// anyway it stays below 256 MiB.
    public static let usualPageMemory = 160 << 20

    /// Throttling that begins where the last process ended.
    ///
    /// - Parameters:
    ///   - store: Where it is remembered; `nil` remembers nothing.
    ///   - transport: Carries the requests.
    ///   - clock: Its steady time counts.
    ///   - pageMemory: How many bytes pages may take, of all runs together.
    public init(
        store: (any PlugStore)?,
        transport: any HTTPSending,
        clock: any HostClock,
        pageMemory: Int = usualPageMemory
    ) {
        room = PageRoom(total: pageMemory)
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
