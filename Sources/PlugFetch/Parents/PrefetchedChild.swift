import LosslessJSON
import PlugCore

/// One parent's children, whose first page is fetched before its turn.
struct PrefetchedChild: Sendable {
    /// Numbers the children of a walk in their order.
    let number: Int
    /// The page on which the parent stands.
    let parents: WalkedPage
    /// The place of the parent in its page.
    let index: Int
    /// The name of the part of the state.
    let part: String
    /// What the state of the part says.
    let watermark: JSONValue?
    /// Whether it is a part of a combination, with children of its own.
    let isCombining: Bool
    var walk: any Walk
    /// Whether its first page is still being fetched.
    var isUnderWay = true
    var page: WalkedPage?
    var failure: (any Error)?
    /// What is proved of the streams above when it is read to its end.
    var proofs: [ParentProof] = []

    /// Whether its failure says something of the children after it, too.
    var endsWalk: Bool {
        guard let failure else { return false }
        // What there is of a combination's part was given, and the others have theirs.
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

/// A walk through nothing.
struct EmptyWalk: Walk {
    var watermark: JSONValue? { nil }
    mutating func next(until deadline: Int64?) async throws -> WalkStep { .end }
}
