package import PlugCore
internal import Synchronization

/// The limits of one source: all requests to it pass through here, one after another, each at its time.
package final class SourceLimit: Sendable {
    /// A request would have to wait too long: until this time, in microseconds since 1970.
    package struct Closed: Error {
        package var until: Int64
        /// Whether the source asked for that wait, rather than a rate in the manifest.
        package var isAsked: Bool
    }

    /// How often a process that waits for others' leases asks again.
    private static let askInterval: ClosedRange<Int64> = 20_000...1_000_000

    /// The number of concurrent requests; `nil` if the manifest does not say.
    package let concurrency: AsyncSemaphore?
    /// The queue of requests that several limits let out together: one at a time, from its turn until it is recorded.
    package let admission = AsyncSemaphore(width: 1)
    private let clock: any HostClock
    private let book: SharedBook
    private let gate = AsyncSemaphore(width: 1)
    /// The requests in line at the gate, or inside.
    private let waiting = Mutex<[Turn]>([])

    init(_ name: String, notes: ServerNotes, clock: any HostClock, concurrency: Int? = nil) {
        self.clock = clock
        self.concurrency = concurrency.map { AsyncSemaphore(width: $0) }
        book = SharedBook(name, notes: notes, clock: clock)
    }

    /// Adopts these limits; those of the newest manifest apply.
    func adopt(_ limits: [RateLimit]) { book.adopt(limits) }

    /// Forgets what was used and what the source asked for.
    func forget() { book.forget() }

    /// Whether the source asked to be left alone, as far as this process knows, and still is.
    package var isClosed: Bool { book.closedUntil > clock.steady().microseconds }

    /// Until when the source asked to be left alone, on the steady clock.
    var closedUntil: Int64 { book.closedUntil }

    /// Waits until a request may be sent, and records it.
    ///
    /// - Parameters:
    ///   - turn: An earlier caller goes first, even if it arrives later, as for a retry.
    ///   - maximum: The longest wait; a longer one ends the run.
    ///   - observer: Called with the end of any wait of a second or more, in microseconds since 1970.
    /// - Throws: `Closed`, `CancellationError`, or errors of the notes.
    package func pass(
        as turn: Turn = Turn(),
        waitingAtMost maximum: Duration,
        _ observer: @Sendable (Int64) -> Void
    ) async throws {
        if book.isOpen { return }
        try join(turn, maximum)
        defer { leave(turn) }
        // Since when it has been first in line, for those in other processes.
        var asked: Int64?
        while try await !gate.pass(as: turn, { try await isOut(turn, since: &asked, maximum, observer) }) {}
    }

    /// Waits until a request could be sent, without recording one: for a request that waits elsewhere before it is sent.
    ///
    /// - Throws: As `pass`.
    package func waitUntilDue(waitingAtMost maximum: Duration, _ observer: @Sendable (Int64) -> Void) async throws {
        while true {
            try await book.look()
            let (mark, now) = (SteadyMark(clock), clock.steady().microseconds)
            let time = book.ownEarliest(from: now, behind: 0)
            guard time > now else { return }
            let wait = Duration.microseconds(time - now)
            guard wait <= maximum else { throw closed(until: time, now, mark, maximum) }
            if wait >= .seconds(1) { observer(mark.wall(of: time)) }
            try await clock.sleep(for: wait)
        }
    }

    /// Waits for the time of the first request in line.
    ///
    /// - Returns: `false` if an earlier request arrived: it then queues again.
    private func isOut(
        _ turn: Turn,
        since first: inout Int64?,
        _ maximum: Duration,
        _ observer: @Sendable (Int64) -> Void
    ) async throws -> Bool {
        try await book.look()
        let asked = first ?? clock.steady().microseconds
        first = asked
        while !gate.isAwaited(before: turn) {
            let mark = SteadyMark(clock)
            let now = clock.steady().microseconds
            var (time, isMine) = book.take(now)
            if !isMine, time <= now {
                switch try await book.lease(asked: asked, at: now) {
                case .leased: continue
                case .wait(let until): time = until
                case .busy(let until):
                    let pause = min(max((until - now) / 2, Self.askInterval.lowerBound), Self.askInterval.upperBound)
                    time = now + pause
                    guard .microseconds(time - asked) <= max(maximum, .seconds(1)) else {
                        throw closed(until: until, now, mark, maximum)
                    }
                }
            }
            guard time > now else { return true }
            let wait = Duration.microseconds(time - now)
            guard wait <= maximum else { throw closed(until: time, now, mark, maximum) }
            if wait >= .seconds(1) { observer(mark.wall(of: time)) }
            try await clock.sleep(for: wait)
        }
        // Waiting for earlier requests here is not waiting for other processes.
        first = nil
        return false
    }

    /// How many wait, for tests.
    var waitingCount: Int { waiting.withLock { $0.count } }

    /// Gets in line, unless the wait would exceed any limit.
    private func join(_ turn: Turn, _ maximum: Duration) throws {
        let (mark, now) = (SteadyMark(clock), clock.steady().microseconds)
        try waiting.withLock { waiting in
            let time = book.ownEarliest(from: now, behind: waiting.count { $0 < turn })
            guard .microseconds(time - now) <= maximum else { throw closed(until: time, now, mark, maximum) }
            waiting.append(turn)
        }
    }

    private func leave(_ turn: Turn) {
        waiting.withLock { waiting in
            if let index = waiting.firstIndex(of: turn) { waiting.remove(at: index) }
        }
    }

    /// Too long a wait, and who asked for it.
    private func closed(until time: Int64, _ now: Int64, _ mark: SteadyMark, _ maximum: Duration) -> Closed {
        let limit = min(maximum, RateBook.longestClosing).wholeMicroseconds
        return Closed(until: mark.wall(of: time), isAsked: book.closedUntil > now + limit)
    }

    /// Lets nothing out for a while, because the source asked for it.
    ///
    /// - Parameter isLasting: Whether later processes should know.
    package func close(for wait: Duration, isLasting: Bool) async { await book.close(for: wait, isLasting: isLasting) }

    /// Records how much of the lease was used, and returns the rest.
    func settle() async { await book.settle() }
}
