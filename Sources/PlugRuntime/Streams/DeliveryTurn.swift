internal import PlugCore
internal import Synchronization

/// Whose turn it is to deliver, where the streams of a connection are read at the same time: one page at a time, in the order
/// in which they came.
///
/// The outbox relies on one stream being taken to its end before another one begins. So as soon as one has something to do with
/// it, or with records that the PDA refused, that one goes on alone. The others drop what they have in hand, which would
/// take memory while they wait, and continue one after another, each from its last commit.
final class DeliveryTurn: Sendable {
    /// What a stream may do with the page that it has.
    enum Answer { case deliver, postpone, end }

    private let page = AsyncSemaphore(width: 1)
    private let alone = AsyncSemaphore(width: 1)
    private let state = Mutex((isTogether: true, isOver: false))

    /// Whether no stream is to go on.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Waits for a turn to deliver a page. With `deliver` it is to be given back.
    ///
    /// - Throws: `CancellationError`.
    func take() async throws -> Answer {
        try await page.enter()
        let (isTogether, isOver) = state.withLock { $0 }
        if isTogether, !isOver { return .deliver }
        page.leave()
        return isOver ? .end : .postpone
    }

    /// Gives the turn to the next stream.
    func give() { page.leave() }

    /// Makes the stream that has the turn the only one, until it leaves.
    ///
    /// - Throws: `CancellationError`.
    func stayAlone() async throws {
        state.withLock { $0.isTogether = false }
        // Nobody waits here yet: there is no other stream that had something postponed.
        try await alone.enter()
        page.leave()
    }

    /// Waits until no other stream is running alone. It is to be left again.
    ///
    /// - Throws: `CancellationError`.
    func enterAlone() async throws { try await alone.enter() }

    /// Lets the next stream go on.
    func leaveAlone() { alone.leave() }

    /// Ends all streams with the pages that they have delivered: none of them would fare better.
    func end() { state.withLock { $0.isOver = true } }
}
