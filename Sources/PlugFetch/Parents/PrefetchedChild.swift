import LosslessJSON
import PlugCore

/// One parent's children, whose first page is prefetched.
struct PrefetchedChild: Sendable {
    /// Numbers the children of a walk in order.
    let number: Int
    /// The page that contains the parent.
    let parents: WalkedPage
    /// The index of the parent on its page.
    let index: Int
    /// The name of the part of the state.
    let part: String
    /// The watermark in the part's state.
    let watermark: JSONValue?
    /// Whether it is part of a combination, with children of its own.
    let isCombining: Bool
    var walk: any Walk
    /// Whether its first page is still being fetched.
    var isUnderWay = true
    var page: WalkedPage?
    var failure: (any Error)?
    /// What is proved about the parent streams once it is completely read.
    var proofs: [ParentProof] = []

    /// Whether its failure also affects the children after it.
    var endsWalk: Bool {
        guard let failure else { return false }
        // The rest of this part of the combination was delivered; the other parts are unaffected.
        if isCombining, (failure as? PlugError)?.code == .childrenFailed { return false }
        return (failure as? PlugError)?.reach != .item
    }

    /// The child with its first page.
    func fetched() async -> PrefetchedChild {
        var child = self
        child.isUnderWay = false
        do { child.page = try await child.walk.next() } catch { child.failure = error }
        return child
    }
}

/// A walk without pages.
struct EmptyWalk: Walk {
    var watermark: JSONValue? { nil }
    mutating func next(until deadline: Int64?) async throws -> WalkStep { .end }
}
