internal import PlugCore
internal import Synchronization

/// The memory that pages of all runs of a process may take together.
///
/// A run reserves room before it asks for a page and gives it back when the page is done. What a page will take is not
/// known before: it is taken for as large as the largest one of the plug so far. When it has come, and is larger, it waits
/// for the room that it takes before anything is made of it. While nothing is known of a plug, eight pages are read at
/// once. So a host that reads many connections of large pages reads fewer of them at the same time.
package final class PageRoom: Sendable {
    /// What pages of all runs of a process may take of memory, unless it is said otherwise: beside what a process takes
    /// anyway it stays below 256 MiB.
    package static let usualTotal = 160 << 20
    /// What a page takes of memory, for each byte of its body: the body, what begins where in it, its records as they
    /// are sent. Measured with small values, which take most.
    static let factor = 8
    /// The least that is reserved for a page.
    private static let smallest = 256 << 10
    /// How many pages are read at once of a plug of which none has come yet.
    private static let scouts = 8

    private let total: Int
    private let line: AsyncSemaphore
    /// The largest body of a plug's pages so far.
    private let largest = Mutex<[String: Int]>([:])

    /// - Parameter total: In bytes.
    package init(total: Int = usualTotal) {
        self.total = max(1, total)
        line = AsyncSemaphore(width: self.total)
    }

    /// What has to be reserved for a page of a plug.
    func estimate(_ plug: String) -> Int { largest.withLock { $0[plug] }.map(size) ?? total / Self.scouts }

    /// What a page of a body takes: never more than there is, so that one page at a time always goes.
    private func size(_ body: Int) -> Int {
        let (bytes, overflows) = body.multipliedReportingOverflow(by: Self.factor)
        return min(total, max(Self.smallest, overflows ? total : bytes))
    }

    /// Corrects a reservation, now that the page is there. For more than was reserved it waits in line, and holds nothing
    /// while it does, so that no two wait for each other.
    ///
    /// - Parameters:
    ///   - reserved: What is reserved for it, and then what it takes; nothing where this throws.
    ///   - body: The bytes of its body.
    /// - Throws: `CancellationError` where the task is cancelled while it waits.
    func correct(_ reserved: inout Int, of plug: String, body: Int) async throws {
        let actual = size(body)
        largest.withLock { $0[plug] = max($0[plug] ?? 0, body) }
        if actual <= reserved {
            line.leave(reserved - actual)
        } else {
            line.leave(reserved)
            reserved = 0
            try await line.enter(actual)
        }
        reserved = actual
    }

    /// Reserves room, waiting for it in line.
    ///
    /// - Throws: `CancellationError` where the task is cancelled while it waits.
    func reserve(_ size: Int) async throws { try await line.enter(size) }

    /// Reserves room if there is some now, for a page that is fetched ahead: whoever has a page waits for no other.
    func reserveAtOnce(_ size: Int) -> Bool { line.enterAtOnce(size) }

    /// How many wait, for tests.
    var waiting: Int { line.waitingCount }

    /// Gives room back.
    func release(_ size: Int) { line.leave(size) }
}
