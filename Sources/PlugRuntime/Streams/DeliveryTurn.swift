internal import PlugCore
internal import Synchronization

/// Decides whose turn it is to deliver when the streams of a connection are read concurrently: one page at a time, in order of
/// arrival.
///
/// The outbox relies on one stream being finished before another begins. So as soon as one has to deal with the outbox, or with
/// records that the PDA refused, it continues alone. The others drop what they have in hand, which would take memory while they
/// wait, and continue one after another, each from its last commit.
final class DeliveryTurn: Sendable {
    /// What a stream may do with the page in hand.
    enum Answer { case deliver, postpone, end }

    private let page = AsyncSemaphore(width: 1)
    private let alone = AsyncSemaphore(width: 1)
    private let state = Mutex((isTogether: true, isOver: false))

    /// Whether no stream may continue.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Waits for a turn to deliver a page. After `deliver` the turn must be given back.
    ///
    /// - Throws: `CancellationError`.
    func take() async throws -> Answer {
        try await page.enter()
        let (isTogether, isOver) = state.withLock { $0 }
        if isTogether, !isOver { return .deliver }
        page.leave()
        return isOver ? .end : .postpone
    }

    /// Passes the turn to the next stream.
    func give() { page.leave() }

    /// Makes the stream that has the turn the only one to deliver, until it leaves.
    ///
    /// - Throws: `CancellationError`.
    func stayAlone() async throws {
        state.withLock { $0.isTogether = false }
        // No one waits here yet: no other stream has been postponed.
        try await alone.enter()
        page.leave()
    }

    /// Waits until no other stream is running alone; must be balanced by leaving.
    ///
    /// - Throws: `CancellationError`.
    func enterAlone() async throws { try await alone.enter() }

    /// Lets the next stream continue.
    func leaveAlone() { alone.leave() }

    /// Ends all streams after the pages they have delivered: none of them would fare better.
    func end() { state.withLock { $0.isOver = true } }
}
