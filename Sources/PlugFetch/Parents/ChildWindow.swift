import LosslessJSON
import PlugCore

/// The children of a walk whose first pages are prefetched, several at once, in order: from the first undelivered one to the last
/// started. A slow page delays delivery, but no other request.
struct ChildWindow: Sendable {
    /// How many bytes are prefetched, not counting requests in flight.
    private static let byteLimit = 2 << 20
    /// How many children are prefetched for each request that may be in flight.
    private static let defaultDepth = 8

    /// How many proofs of parents without children may wait for the next child.
    private static let proofLimit = 1000

    private enum Event: Sendable {
        case child(PrefetchedChild)
        case parents(any Walk, Result<WalkedPage?, any Error>)
        /// A deadline that was waited for has come.
        case deadline
    }

    /// The walk through the parents, lent to a task while it fetches a page.
    private enum Parents {
        case idle(any Walk)
        case underWay
        case arrived(any Walk, Result<WalkedPage?, any Error>)
    }

    private let scope: FetchScope
    private let width: Int
    private let depth: Int
    private let readsAhead: Bool
    private let clock: any HostClock
    private let events: AsyncStream<Event>
    private let ending: AsyncStream<Event>.Continuation
    private var parents: Parents
    private var children: [PrefetchedChild] = []
    private var nextNumber = 0
    private var proofs = 0
    private var underWay = 0
    /// The size of pages that have arrived and are not delivered.
    private var bytes = 0
    /// Whether a failure also affects the children after it.
    private var isStopping = false
    /// Whether a timer is running: one at a time, possibly for an earlier deadline.
    private var hasTimer = false
    /// Whether the first child's next page is fetched only once it is waited for.
    private var isDue = false

    /// - Parameters:
    ///   - width: How many requests may be in flight at once.
    ///   - readsAhead: Whether children are prefetched.
    init(_ parents: any Walk, width: Int, readsAhead: Bool = true, in scope: FetchScope, clock: any HostClock) {
        depth = readsAhead ? Self.defaultDepth : 1
        self.readsAhead = readsAhead
        self.clock = clock
        self.parents = .idle(parents)
        self.width = width
        self.scope = scope
        (events, ending) = AsyncStream.makeStream()
    }

    var isEmpty: Bool { children.isEmpty }

    /// The first child, once its page has arrived; `nil` before, and if there is none.
    var first: PrefetchedChild? { children.first.flatMap { $0.isUnderWay ? nil : $0 } }

    /// Whether another child may be started.
    var hasRoom: Bool {
        !isStopping && underWay < width && bytes < Self.byteLimit && children.count < width * depth
    }

    /// How many children should be left on a page of parents when the next one is requested: as many as are fetched in the
    /// meantime.
    var parentsAhead: Int { 2 * (width - 1) }

    // MARK: - Children

    /// Starts a child after the others.
    mutating func start(
        _ walk: any Walk,
        part: String,
        watermark: JSONValue?,
        isCombining: Bool,
        index: Int,
        of parents: WalkedPage
    ) {
        let child = PrefetchedChild(
            number: nextNumber,
            parents: parents,
            index: index,
            part: part,
            watermark: watermark,
            isCombining: isCombining,
            walk: walk
        )
        nextNumber += 1
        children.append(child)
        fetch(child)
    }

    /// Appends a child that cannot even be started.
    mutating func fail(_ error: PlugError, part: String, index: Int, of parents: WalkedPage) {
        children.append(
            PrefetchedChild(
                number: nextNumber,
                parents: parents,
                index: index,
                part: part,
                watermark: nil,
                isCombining: false,
                walk: EmptyWalk(),
                isUnderWay: false,
                failure: error
            )
        )
        nextNumber += 1
    }

    /// Fetches the page of the first child after the current one.
    mutating func fetchMoreOfFirst() {
        bytes -= children[0].page?.size ?? 0
        children[0].page = nil
        children[0].isUnderWay = true
        if readsAhead { fetch(children[0]) } else { isDue = true }
    }

    private mutating func fetch(_ child: PrefetchedChild) {
        underWay += 1
        let ending = ending
        scope.start { ending.yield(.child(await child.fetched())) }
    }

    /// Removes the first child.
    mutating func removeFirst() {
        let child = children.removeFirst()
        bytes -= child.page?.size ?? 0
        proofs -= child.proofs.count
    }

    /// Whether more proofs may wait for children.
    var hasRoomForProofs: Bool { proofs < Self.proofLimit }

    /// Makes proofs wait for the last child.
    mutating func append(_ more: [ParentProof]) {
        children[children.count - 1].proofs += more
        proofs += more.count
    }

    // MARK: - Parents

    /// Requests the next page of parents, unless that request is in flight.
    mutating func fetchParents() {
        guard case .idle(let walk) = parents else { return }
        parents = .underWay
        let ending = ending
        scope.start {
            var walk = walk
            do {
                let page = try await walk.next()
                ending.yield(.parents(walk, .success(page)))
            } catch {
                ending.yield(.parents(walk, .failure(error)))
            }
        }
    }

    /// Whether a page of parents, or their end or an error, has arrived.
    var hasParents: Bool { if case .arrived = parents { true } else { false } }

    /// The page of parents that has arrived, `nil` if none has.
    var nextParents: WalkedPage? {
        if case .arrived(_, .success(let page)) = parents { page } else { nil }
    }

    /// Where the next pass through the parents starts; `nil` while a page of theirs is being fetched.
    var parentsWatermark: JSONValue? { if case .idle(let walk) = parents { walk.watermark } else { nil } }

    /// The page of parents that has arrived; `nil` after the last one.
    mutating func takeParents() throws -> WalkedPage? {
        guard case .arrived(let walk, let result) = parents else { return nil }
        parents = .idle(walk)
        return try result.get()
    }

    /// Continues with another walk through the parents.
    mutating func replaceParents(_ walk: any Walk) { parents = .idle(walk) }

    // MARK: - Waiting

    /// Waits until something in flight has arrived.
    ///
    /// - Parameter deadline: Until when, in microseconds of the steady clock.
    /// - Returns: `false` if the deadline came first.
    /// - Throws: `CancellationError`; nothing arrives any more then.
    mutating func wait(until deadline: Int64? = nil) async throws -> Bool {
        if isDue {
            isDue = false
            fetch(children[0])
        }
        if let deadline {
            let pause = deadline - clock.steady().microseconds
            if pause <= 0 { return false }
            startTimer(.microseconds(pause))
        }
        var iterator = events.makeAsyncIterator()
        guard let event = await iterator.next() else { throw CancellationError() }
        switch event {
        case .deadline: hasTimer = false
        case .parents(let walk, let result): parents = .arrived(walk, result)
        case .child(let child):
            underWay -= 1
            bytes += child.page?.size ?? 0
            isStopping = isStopping || child.endsWalk
            let place = child.number - children[0].number
            let proofs = children[place].proofs
            children[place] = child
            children[place].proofs = proofs
        }
        return true
    }

    private mutating func startTimer(_ pause: Duration) {
        if hasTimer { return }
        hasTimer = true
        let (clock, ending) = (clock, ending)
        scope.start {
            // When cancelled, no one waits any more.
            try? await clock.timeout(after: pause)
            ending.yield(.deadline)
        }
    }
}
