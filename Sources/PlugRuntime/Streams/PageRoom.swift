internal import PlugCore
internal import Synchronization

/// The memory that the pages of all runs of a process may take together.
///
/// A run reserves room before it requests a page and releases it when the page is done. A page's size is not known in advance: it
/// is assumed to be as large as the plug's largest so far. If it turns out larger, it waits for the additional room before
/// anything is made of it. So a host that reads many connections with large pages reads fewer of them at the same time.
///
/// The estimate for a plug is only as good as the number of its pages so far: its first page is read alone, and each page that
/// arrives allows one more to be read concurrently. Otherwise a host that starts would read a page of each connection at once,
/// and learn too late how large they are.
package final class PageRoom: Sendable {
    /// The default memory limit for the pages of all runs of a process: together with what a process takes anyway it stays below
    /// 256 MiB.
    package static let defaultTotal = 160 << 20
    /// The memory a page takes for each byte of its body: the body, the index of its parts, and its records in the form in which
    /// they are sent. Measured with small values, which take most.
    static let factor = 8
    /// The minimum that is reserved for a page.
    private static let smallest = 256 << 10
    /// The fraction of the total that is reserved for a plug's first page, as a divisor.
    private static let firstPart = 8
    /// The final limit on concurrent pages of a plug: as many as there is room for.
    private static let most = 1_024

    /// Room for one page.
    struct Place: Sendable {
        fileprivate let plug: String
        /// In bytes.
        fileprivate(set) var size: Int
        /// Whether it has arrived, so that one more may be read alongside it.
        fileprivate var hasCome = false
    }

    /// What is known of a plug.
    private struct Plug {
        /// The largest body of its pages so far.
        var largest: Int?
        /// Lets as many of its pages be read concurrently as have arrived, plus one.
        let start = AsyncSemaphore(width: 1)
        /// The semaphore's current width.
        var width = 1
    }

    private let total: Int
    private let line: AsyncSemaphore
    private let plugs = Mutex<[String: Plug]>([:])

    /// - Parameter total: In bytes.
    package init(total: Int = defaultTotal) {
        self.total = max(1, total)
        line = AsyncSemaphore(width: self.total)
    }

    /// The room to reserve for a page of a plug.
    func estimate(_ plug: String) -> Int {
        plugs.withLock { $0[plug]?.largest }.map(size) ?? max(1, total / Self.firstPart)
    }

    /// The room for a page with a body of this size: never more than the total, so that one page at a time always fits.
    private func size(_ body: Int) -> Int {
        let (bytes, overflows) = body.multipliedReportingOverflow(by: Self.factor)
        return min(total, max(Self.smallest, overflows ? total : bytes))
    }

    /// The semaphore at which readers of a plug's pages start.
    private func start(_ plug: String) -> AsyncSemaphore {
        plugs.withLock { plugs in
            let known = plugs[plug] ?? Plug()
            plugs[plug] = known
            return known.start
        }
    }

    /// Reserves room, waiting in line for it.
    ///
    /// - Throws: `CancellationError` if the task is cancelled while it waits.
    func reserve(_ plug: String) async throws -> Place {
        let start = start(plug)
        try await start.enter()
        do {
            while true {
                let size = estimate(plug)
                try await line.enter(size)
                // Pages that arrived in the meantime may have shown that they are larger.
                if estimate(plug) <= size { return Place(plug: plug, size: size) }
                line.leave(size)
            }
        } catch {
            start.leave()
            throw error
        }
    }

    /// Reserves room if it is available now, for a page fetched ahead: whoever holds a page waits for no other.
    func reserveAtOnce(_ plug: String) -> Place? {
        let start = start(plug)
        guard start.enterAtOnce() else { return nil }
        let size = estimate(plug)
        if line.enterAtOnce(size) { return Place(plug: plug, size: size) }
        start.leave()
        return nil
    }

    /// Corrects a reservation once the page has arrived. To get more than was reserved it waits in line, and holds nothing while
    /// it does, so that no two wait for each other.
    ///
    /// - Parameters:
    ///   - place: The reservation, then the corrected one; nothing if this throws.
    ///   - body: The size of its body in bytes.
    /// - Throws: `CancellationError` if the task is cancelled while it waits.
    func correct(_ place: inout Place, body: Int) async throws {
        let (actual, plug) = (size(body), place.plug)
        plugs.withLock { plugs in
            var known = plugs[plug] ?? Plug()
            known.largest = max(known.largest ?? 0, body)
            plugs[plug] = known
        }
        widen(&place)
        if actual <= place.size {
            line.leave(place.size - actual)
        } else {
            line.leave(place.size)
            place.size = 0
            try await line.enter(actual)
        }
        place.size = actual
    }

    /// How many are waiting for memory, for tests.
    var waiting: Int { line.waitingCount }

    /// Releases room, even if no page has arrived: a service that is down holds no one up for long.
    func release(_ place: Place?) {
        guard var place else { return }
        line.leave(place.size)
        widen(&place)
        start(place.plug).leave()
    }

    /// Lets one more page of a plug be read concurrently, after one has arrived or failed.
    private func widen(_ place: inout Place) {
        if place.hasCome { return }
        place.hasCome = true
        let plug = place.plug
        let start = plugs.withLock { plugs -> AsyncSemaphore? in
            var known = plugs[plug] ?? Plug()
            if known.width >= Self.most { return nil }
            known.width += 1
            plugs[plug] = known
            return known.start
        }
        start?.leave()
    }
}
