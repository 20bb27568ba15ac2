internal import PlugCore
internal import Synchronization

/// The memory that pages of all runs of a process may take together.
///
/// A run reserves room before it asks for a page and gives it back when the page is done. What a page will take is not
/// known before: it is taken for as large as the largest one of the plug so far. When it has come, and is larger, it waits
/// for the room that it takes before anything is made of it. So a host that reads many connections of large pages reads
/// fewer of them at the same time.
///
/// What is known of a plug is worth as much as pages of it have come: its first page is read alone, and with each one that
/// has come one more may be read at the same time. Else a host that begins would read a page of each connection at once,
/// and know too late how large they are.
package final class PageRoom: Sendable {
    /// What pages of all runs of a process may take of memory, unless it is said otherwise: beside what a process takes
    /// anyway it stays below 256 MiB.
    package static let usualTotal = 160 << 20
    /// What a page takes of memory, for each byte of its body: the body, what begins where in it, its records as they
    /// are sent. Measured with small values, which take most.
    static let factor = 8
    /// The least that is reserved for a page.
    private static let smallest = 256 << 10
    /// What is reserved for a page of a plug of which none has come yet: this part of all there is.
    private static let firstPart = 8
    /// How many pages of a plug may be read at once in the end: so many as room is for.
    private static let most = 1_024

    /// Room for one page.
    struct Place: Sendable {
        fileprivate let plug: String
        /// In bytes.
        fileprivate(set) var size: Int
        /// Whether it has come, so that one more may be read beside it.
        fileprivate var hasCome = false
    }

    /// What is known of a plug.
    private struct Plug {
        /// The largest body of its pages so far.
        var largest: Int?
        /// Lets so many of its pages be read at once as have come, and one more.
        let start = AsyncSemaphore(width: 1)
        /// How many those are.
        var width = 1
    }

    private let total: Int
    private let line: AsyncSemaphore
    private let plugs = Mutex<[String: Plug]>([:])

    /// - Parameter total: In bytes.
    package init(total: Int = usualTotal) {
        self.total = max(1, total)
        line = AsyncSemaphore(width: self.total)
    }

    /// What has to be reserved for a page of a plug.
    func estimate(_ plug: String) -> Int {
        plugs.withLock { $0[plug]?.largest }.map(size) ?? max(1, total / Self.firstPart)
    }

    /// What a page of a body takes: never more than there is, so that one page at a time always goes.
    private func size(_ body: Int) -> Int {
        let (bytes, overflows) = body.multipliedReportingOverflow(by: Self.factor)
        return min(total, max(Self.smallest, overflows ? total : bytes))
    }

    /// Where those who want to read a plug's pages begin.
    private func start(_ plug: String) -> AsyncSemaphore {
        plugs.withLock { plugs in
            let known = plugs[plug] ?? Plug()
            plugs[plug] = known
            return known.start
        }
    }

    /// Reserves room, waiting for it in line.
    ///
    /// - Throws: `CancellationError` where the task is cancelled while it waits.
    func reserve(_ plug: String) async throws -> Place {
        let start = start(plug)
        try await start.enter()
        do {
            while true {
                let size = estimate(plug)
                try await line.enter(size)
                // Pages that came meanwhile may have shown that they are larger.
                if estimate(plug) <= size { return Place(plug: plug, size: size) }
                line.leave(size)
            }
        } catch {
            start.leave()
            throw error
        }
    }

    /// Reserves room if there is some now, for a page that is fetched ahead: whoever has a page waits for no other.
    func reserveAtOnce(_ plug: String) -> Place? {
        let start = start(plug)
        guard start.enterAtOnce() else { return nil }
        let size = estimate(plug)
        if line.enterAtOnce(size) { return Place(plug: plug, size: size) }
        start.leave()
        return nil
    }

    /// Corrects a reservation, now that the page is there. For more than was reserved it waits in line, and holds nothing
    /// while it does, so that no two wait for each other.
    ///
    /// - Parameters:
    ///   - place: What is reserved for it, and then what it takes; nothing where this throws.
    ///   - body: The bytes of its body.
    /// - Throws: `CancellationError` where the task is cancelled while it waits.
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

    /// How many wait for memory, for tests.
    var waiting: Int { line.waitingCount }

    /// Gives room back, also where no page has come: a service that is down holds nobody up for long.
    func release(_ place: Place?) {
        guard var place else { return }
        line.leave(place.size)
        widen(&place)
        start(place.plug).leave()
    }

    /// Lets one page of a plug more be read at once, for one that has come or failed.
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
