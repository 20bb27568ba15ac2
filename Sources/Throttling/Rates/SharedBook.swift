internal import PlugCore
internal import Synchronization

/// The book of one source, as this process knows it and as it is on disk.
///
/// Use is written ahead, a few requests at a time, before the first of them is sent, into a book that all processes share
/// (`RateBook`). So however many processes there are, and whenever they are killed, none has used more than the others find
/// recorded.
final class SharedBook: Sendable {
    private struct State {
        var book = RateBook([])
        /// Whether the book includes what earlier processes left.
        var isRead = false
        /// When the disk was last checked.
        var lookedAt: Int64 = .min
        /// Known only to this process: nothing is sent before this.
        var closedHere: Int64 = .min
        /// How many requests may be sent before `leaseEnd` without checking the disk again.
        var leased = 0
        var leaseEnd: Int64 = .min
        /// When requests were sent that the disk knows only as leased.
        var unsettled: [Int64] = []
        /// What this process last wrote, and its parsed form: it need not be read until another process writes.
        var written: (bytes: [UInt8], book: RateBook)?

        func earliest(from time: Int64, for id: String) -> Int64 { max(closedHere, book.earliest(from: time, for: id)) }
    }

    /// How often the disk is checked for a source without rates: another process may have been told to stay away.
    private static let lookInterval: Int64 = 1_000_000

    private let name: String
    private let notes: ServerNotes
    private let clock: any HostClock
    /// Identifies this process in the book.
    private let id = String(UInt64.random(in: 0 ... .max), radix: 36)
    /// One write at a time, so that each starts from the result of the last.
    private let desk = AsyncSemaphore(width: 1)
    private let state: Mutex<State>

    init(_ name: String, notes: ServerNotes, clock: any HostClock) {
        self.name = name
        self.notes = notes
        self.clock = clock
        state = Mutex(State(isRead: !notes.isLasting))
    }

    /// Adopts these limits.
    func adopt(_ limits: [RateLimit]) { state.withLock { $0.book.adopt(limits) } }

    /// Forgets everything but the limits themselves.
    func forget() {
        state.withLock { state in
            var new = State(isRead: true)
            new.book = RateBook(state.book.meters.map(\.limit))
            state = new
        }
    }

    /// When a request ready at `time`, with the given number before it, could be sent if there were no other leases.
    func ownEarliest(from time: Int64, behind waiting: Int) -> Int64 {
        state.withLock { max($0.closedHere, $0.book.ownEarliest(from: time, behind: waiting)) }
    }

    /// Until when the source itself asked to be left alone.
    var closedUntil: Int64 { state.withLock { max($0.closedHere, $0.book.closing?.until ?? .min) } }

    /// Whether there is nothing to wait for and nothing to record.
    var isOpen: Bool {
        let now = clock.steady().microseconds
        return state.withLock { state in
            state.isRead && state.book.meters.isEmpty && state.earliest(from: now, for: id) <= now
                && (!notes.isLasting || now < state.lookedAt &+ Self.lookInterval)
        }
    }

    /// Lets one request out now, if that needs no check of the disk.
    ///
    /// - Returns: When it may be sent, and whether it was let out: a past time without a request means that a lease is needed.
    func take(_ now: Int64) -> (time: Int64, isMine: Bool) {
        state.withLock { state in
            let needsLease = notes.isLasting && !state.book.meters.isEmpty
            if needsLease, state.leased == 0 || now >= state.leaseEnd { return (max(now, state.closedHere), false) }
            let time = state.earliest(from: now, for: id)
            guard time <= now else { return (time, false) }
            state.book.take(at: now)
            if needsLease {
                state.leased -= 1
                state.unsettled.append(now)
            }
            return (time, true)
        }
    }

    /// Lets nothing out for a while, because the source asked for it.
    ///
    /// - Parameter isLasting: Whether later processes should know.
    func close(for wait: Duration, isLasting: Bool) async {
        let wait = min(wait, RateBook.longestClosing).wholeMicroseconds
        let now = clock.steady().microseconds
        state.withLock { $0.closedHere = max($0.closedHere, now + wait) }
        // If it cannot be written, this process still obeys it.
        if isLasting, notes.isLasting {
            try? await write { book, _, now in
                book.close(since: now, until: now + wait)
                return Change(isWritten: true)
            }
        }
    }

    /// Records how much of the lease was used, and returns the rest.
    func settle() async {
        let isHolding = state.withLock { state in
            defer { state.leased = 0 }
            return state.leased > 0 || !state.unsettled.isEmpty
        }
        guard notes.isLasting, isHolding else { return }
        // If this fails the lease is lost, which is the safe side.
        try? await write { book, used, _ in
            book.settle(self.id, used: used)
            return Change(isWritten: true, isSettled: true)
        }
    }

    // MARK: - On the disk

    /// Checks what other processes have written, on first use and then now and then.
    func look() async throws {
        let now = clock.steady().microseconds
        let (isRead, isDue) = state.withLock { state in
            let isDue = notes.isLasting && state.book.meters.isEmpty && now >= state.lookedAt &+ Self.lookInterval
            if isDue { state.lookedAt = now }
            return (state.isRead, isDue)
        }
        guard !isRead || isDue else { return }
        let bytes = isRead ? try await notes.current(name) : try await notes.found(name)
        guard let found = bytes.flatMap({ RateBook($0, mark: SteadyMark(clock), now: now) }) else {
            return state.withLock { $0.isRead = true }
        }
        state.withLock { state in
            state.isRead = true
            // What others wrote applies here too, except for what this process was told itself.
            let limits = state.book.meters.map(\.limit)
            state.book = found
            state.book.adopt(limits)
            for time in state.unsettled { state.book.take(at: time) }
        }
        if found.isCorrected { try await write { book, _, _ in Change(isWritten: book.isCorrected) } }
    }

    /// Leases the next few requests. Nothing is sent meanwhile: the caller holds the gate of `SourceLimit`.
    func lease(asked: Int64, at now: Int64) async throws -> RateBook.Answer {
        let answer = Mutex(RateBook.Answer.wait(until: now))
        try await write { book, used, now in
            book.settle(self.id, used: used)
            let isAlone = book.holders.isEmpty
            let given = book.lease(to: self.id, asked: asked, at: now)
            answer.withLock { $0 = given }
            // A process that waits alone has nothing to tell others.
            var isWritten = book.isCorrected || !isAlone
            if case .leased = given { isWritten = true }
            return Change(isWritten: isWritten, isSettled: true)
        }
        let given = answer.withLock { $0 }
        guard case .leased(let count, let end) = given else { return given }
        state.withLock { ($0.leased, $0.leaseEnd) = (count, end) }
        return given
    }

    /// Changes the book on disk, and takes over its content.
    ///
    /// - Parameter change: Takes the book, what this process used and has not yet recorded, and the time. It may be called more
    ///   than once.
    private func write(_ change: @escaping @Sendable (inout RateBook, [Int64], Int64) -> Change) async throws {
        try await desk.pass {
            let (limits, used, known) = self.state.withLock { ($0.book.meters.map(\.limit), $0.unsettled, $0.written) }
            let (clock, name, id) = (self.clock, self.name, self.id)
            let (book, made, bytes) = try await self.notes.change(name) {
                bytes -> (ServerNote?, (RateBook, Change, [UInt8]?)) in
                // Taken when it is this process's turn: what another wrote a moment ago must not seem to be in the future.
                let (mark, now) = (SteadyMark(clock), clock.steady().microseconds)
                var book =
                    known.flatMap { $0.bytes == bytes ? $0.book : nil }
                    ?? bytes.flatMap { RateBook($0, mark: mark, now: now, keeping: id) } ?? RateBook(limits)
                book.adopt(limits)
                let made = change(&book, used, now)
                guard made.isWritten else { return (nil, (book, made, nil)) }
                let (day, end) = (Int64(86_400_000_000), mark.wall(of: book.end))
                let expiry = end > .max - day ? .max : end + day
                let note = ServerNote(name: name, bytes: book.bytes(at: mark), expiresAt: expiry)
                return (note, (book, made, note.bytes))
            }
            self.state.withLock { state in
                state.isRead = true
                state.book = book
                // The effect of others' leases changes from moment to moment.
                let isMine = book.holders.allSatisfy { $0.id == id }
                if let bytes { state.written = isMine ? (bytes, book.uncorrected) : nil }
                // Requests may have been sent while the disk was busy. Any that were not written are recorded next time.
                let new = made.isSettled ? state.unsettled.dropFirst(used.count) : state.unsettled[...]
                for time in new { state.book.take(at: time) }
                if made.isWritten, made.isSettled { state.unsettled = Array(new) }
            }
        }
    }

    /// The change made to the book.
    private struct Change {
        /// Whether to write it.
        var isWritten: Bool
        /// Whether it includes what this process used.
        var isSettled = false
    }
}
