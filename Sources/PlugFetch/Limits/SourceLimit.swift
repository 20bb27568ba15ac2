import PlugCore
import PlugManifest
import Synchronization

/// The limits of one source: all requests to it pass here, one after another, each at its time.
///
/// What is used is written ahead, a few requests at a time, before the first of them goes out. So a process that is
/// killed at any moment has never used more than the next one finds written; what it had not used yet is lost.
final class SourceLimit: Sendable {
    /// A request would have to wait for too long: until this time, in microseconds since 1970.
    struct Closed: Error { var until: Int64 }

    private struct State {
        var book = RateBook([])
        /// Whether what earlier processes left is in the book.
        var isRead = false
        var waiting = 0
    }

    private let name: String
    private let notes: ServerNotes
    private let clock: any HostClock
    /// Lets through as many as may be under way at once; `nil` where the manifest does not say.
    let concurrency: Turnstile?
    private let gate = Turnstile(width: 1)
    /// One write at a time, so that the last one is the newest.
    private let desk = Turnstile(width: 1)
    private let state: Mutex<State>

    init(_ name: String, notes: ServerNotes, clock: any HostClock, concurrency: Int?) {
        self.name = name
        self.notes = notes
        self.clock = clock
        self.concurrency = concurrency.map { Turnstile(width: $0) }
        state = Mutex(State(isRead: !notes.isLasting))
    }

    /// Goes by these limits; the ones of the newest manifest hold.
    func adopt(_ limits: [RateLimit]) { state.withLock { $0.book.adopt(limits) } }

    /// Waits until a request may go out, and notes it.
    ///
    /// - Parameters:
    ///   - maximum: The longest wait that is sat out.
    ///   - observer: Told the end of a wait of a second and more, in microseconds since 1970.
    /// - Throws: `Closed`, `CancellationError`, or what the notes say.
    func pass(waitingAtMost maximum: Duration, _ observer: @Sendable (Int64) -> Void) async throws {
        if isOpen { return }
        try await join(maximum)
        defer { state.withLock { $0.waiting -= 1 } }
        try await gate.pass {
            try await self.read()
            while true {
                let mark = SteadyMark(self.clock)
                let now = self.clock.steady().microseconds
                let (time, needsLease) = self.state.withLock { state in
                    let time = state.book.earliest(from: now)
                    let needsLease = self.notes.isLasting && !state.book.meters.isEmpty && state.book.leased == 0
                    if time <= now, !needsLease { state.book.take(at: now) }
                    return (time, needsLease)
                }
                if time > now {
                    let wait = Duration.microseconds(time - now)
                    guard wait <= maximum else { throw Closed(until: mark.wall(of: time)) }
                    if wait >= .seconds(1) { observer(mark.wall(of: time)) }
                    try await self.clock.sleep(for: wait)
                } else if needsLease {
                    try await self.lease()
                } else {
                    return
                }
            }
        }
    }

    /// Whether there is nothing to wait for, and nothing to note.
    private var isOpen: Bool {
        let now = clock.steady().microseconds
        return state.withLock { $0.isRead && $0.book.meters.isEmpty && $0.book.closedUntil <= now }
    }

    /// Gets in line, unless it is longer than anybody waits.
    private func join(_ maximum: Duration) async throws {
        let (mark, now) = (SteadyMark(clock), clock.steady().microseconds)
        try state.withLock { state in
            let slowest = state.book.meters.map { $0.limit.per / max(1, $0.limit.count) }.max() ?? .zero
            let line = Int64(slowest * state.waiting / .microseconds(1))
            let time = state.book.earliest(from: now) + line
            guard .microseconds(time - now) <= maximum else { throw Closed(until: mark.wall(of: time)) }
            state.waiting += 1
        }
    }

    /// Lets nothing out for a while, because the source asked for it.
    ///
    /// - Parameter isLasting: Whether later processes shall know.
    func close(for wait: Duration, isLasting: Bool) async {
        let wait = min(wait, RateBook.longestClosing)
        let until = clock.steady().microseconds + Int64(wait / .microseconds(1))
        state.withLock { $0.book.close(until: until) }
        // Where it cannot be written this process keeps to it all the same.
        if isLasting, notes.isLasting { try? await write { $0.leased } }
    }

    /// Gives back what is leased and was not used.
    func settle() async {
        guard notes.isLasting, state.withLock({ $0.book.leased > 0 }) else { return }
        // Where this fails the lease is lost, which is the safe side.
        try? await write { book in
            book.lease(0)
            return 0
        }
    }

    // MARK: - On the disk

    private func read() async throws {
        guard !state.withLock({ $0.isRead }) else { return }
        let bytes = try await notes.found(name)
        let (mark, now) = (SteadyMark(clock), clock.steady().microseconds)
        let found = bytes.flatMap { RateBook($0, mark: mark, now: now) }
        state.withLock { state in
            guard !state.isRead else { return }
            state.isRead = true
            guard var book = found else { return }
            book.adopt(state.book.meters.map(\.limit))
            book.close(until: state.book.closedUntil)
            state.book = book
        }
    }

    /// Writes down the next few requests as if they had gone out. Nothing goes out meanwhile: the gate is held.
    private func lease() async throws {
        let chunk = state.withLock { $0.book.chunk }
        try await write { _ in chunk }
        state.withLock { $0.book.lease(chunk) }
    }

    /// - Parameter leased: How many requests are on lease from now on, asked while nothing else changes the book.
    private func write(_ leased: @Sendable (inout RateBook) -> Int) async throws {
        try await desk.pass {
            try await self.read()
            let mark = SteadyMark(self.clock)
            let note = self.state.withLock { state in
                let leased = leased(&state.book)
                let (day, end) = (Int64(86_400_000_000), mark.wall(of: state.book.end))
                return ServerNote(
                    name: self.name,
                    bytes: state.book.bytes(leasing: leased, at: mark),
                    expiresAt: end > .max - day ? .max : end + day
                )
            }
            try await self.notes.keep([note])
        }
    }
}
