package import PlugCore
internal import Synchronization

/// The limits of one source: all requests to it pass here, one after another, each at its time.
package final class SourceLimit: Sendable {
    /// A request would have to wait for too long: until this time, in microseconds since 1970.
    package struct Closed: Error {
        package var until: Int64
        /// Whether the source asked for that wait, and not a rate of the manifest.
        package var isAsked: Bool
    }

    /// How often a process that waits for what others have on lease asks again.
    private static let askInterval: ClosedRange<Int64> = 20_000...1_000_000

    /// Lets through as many as may be under way at once; `nil` if the manifest does not say.
    package let concurrency: AsyncSemaphore?
    /// The line of those that are let out by several limits together: one at a time, from its turn until it is noted.
    package let admission = AsyncSemaphore(width: 1)
    private let clock: any HostClock
    private let book: SharedBook
    private let gate = AsyncSemaphore(width: 1)
    /// Who is in line at the gate, or inside.
    private let waiting = Mutex<[Turn]>([])

    init(_ name: String, notes: ServerNotes, clock: any HostClock, concurrency: Int? = nil) {
        self.clock = clock
        self.concurrency = concurrency.map { AsyncSemaphore(width: $0) }
        book = SharedBook(name, notes: notes, clock: clock)
    }

    /// Goes by these limits; the ones of the newest manifest hold.
    func adopt(_ limits: [RateLimit]) { book.adopt(limits) }

    /// Forgets what was used and what the source asked for.
    func forget() { book.forget() }

    /// Whether the source asked to be left alone, as far as this process was told, and that time is not over.
    package var isClosed: Bool { book.closedUntil > clock.steady().microseconds }

    /// Until when the source asked to be left alone, on the steady clock.
    var closedUntil: Int64 { book.closedUntil }

    /// Waits until a request may go out, and notes it.
    ///
    /// - Parameters:
    ///   - turn: Whoever asked before goes before, even if it comes later, as for a second try.
    ///   - maximum: The longest wait; a longer one ends the run.
    ///   - observer: Told the end of a wait of a second and more, in microseconds since 1970.
    /// - Throws: `Closed`, `CancellationError`, or what the notes say.
    package func pass(
        as turn: Turn = Turn(),
        waitingAtMost maximum: Duration,
        _ observer: @Sendable (Int64) -> Void
    ) async throws {
        if book.isOpen { return }
        try join(turn, maximum)
        defer { leave(turn) }
        // Since when it is first in line, for those in other processes.
        var asked: Int64?
        while try await !gate.pass(as: turn, { try await isOut(turn, since: &asked, maximum, observer) }) {}
    }

    /// Waits until a request could go out, and notes none: for one that waits elsewhere before it goes.
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

    /// Waits for the time of whoever is first in line.
    ///
    /// - Returns: `false` where an earlier request came: then it gets in line again.
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
        // The time of those that go before is not waited for others.
        first = nil
        return false
    }

    /// How many wait, for tests.
    var waitingCount: Int { waiting.withLock { $0.count } }

    /// Gets in line, unless it is longer than anybody waits.
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

    /// Too long a wait, and whose wish it is.
    private func closed(until time: Int64, _ now: Int64, _ mark: SteadyMark, _ maximum: Duration) -> Closed {
        let limit = Int64(min(maximum, RateBook.longestClosing) / .microseconds(1))
        return Closed(until: mark.wall(of: time), isAsked: book.closedUntil > now + limit)
    }

    /// Lets nothing out for a while, because the source asked for it.
    ///
    /// - Parameter isLasting: Whether later processes shall know.
    package func close(for wait: Duration, isLasting: Bool) async { await book.close(for: wait, isLasting: isLasting) }

    /// Says what was used of the lease, and gives the rest back.
    func settle() async { await book.settle() }
}
