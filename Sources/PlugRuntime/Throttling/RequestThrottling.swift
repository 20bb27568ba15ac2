package import CurlTransport
package import PlugCore
package import PlugFetch
package import PlugStorage

/// What keeps a process from asking too much of others: one value for all runs of a process.
package struct RequestThrottling: Sendable {
    /// Sends requests, and spares hosts that fail.
    package let transport: GuardedTransport
    /// The rates of sources, and what they asked for.
    package let limits: SourceLimits
    /// The memory that pages may take.
    let room: PageRoom

    /// What pages of all runs of a process may take of memory, unless it is said otherwise: beside what a process takes
    /// anyway it stays below 256 MiB.
    package static let usualPageMemory = 160 << 20

    /// Throttling that begins where the last process ended.
    ///
    /// - Parameters:
    ///   - store: Where it is remembered; `nil` remembers nothing.
    ///   - transport: Carries the requests.
    ///   - clock: Its steady time counts.
    ///   - pageMemory: How many bytes pages may take, of all runs together.
    package init(
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
    package func settle() async {
        await limits.settle()
        await transport.settle()
    }
}
