import LosslessJSON
import PlugCore

/// One parent's children, whose first page is fetched before its turn.
struct ChildAhead: Sendable {
    /// How many bytes are fetched ahead.
    private static let byteLimit = 2 << 20

    /// The place of the parent in its page.
    let index: Int
    /// The name of the part of the state.
    let part: String
    /// What the state of the part says.
    let watermark: JSONValue?
    var walk: StreamWalk
    var page: WalkedPage?
    var failure: PlugError?

    /// Whether its failure says something of the children after it, too.
    var endsWalk: Bool { failure.map { $0.reach != .item } ?? false }

    /// The children with their first pages, in order, up to the first that ends the walk or where enough is at hand.
    static func fetch(_ children: [ChildAhead], width: Int) async throws -> [ChildAhead] {
        try await withThrowingTaskGroup(of: (Int, ChildAhead).self) { group in
            var results: [ChildAhead?] = Array(repeating: nil, count: children.count)
            var (started, bytes, isStopping) = (0, 0, false)
            func start() {
                guard started < children.count, !isStopping else { return }
                let (at, child) = (started, children[started])
                started += 1
                group.addTask { (at, try await first(of: child)) }
            }
            for _ in 0..<width { start() }
            while let (at, child) = try await group.next() {
                results[at] = child
                bytes += child.page?.cost.bytes ?? 0
                isStopping = isStopping || child.endsWalk || bytes > byteLimit
                start()
            }
            let ready = results.prefix { $0 != nil }.compactMap(\.self)
            let end = ready.firstIndex(where: \.endsWalk).map { $0 + 1 } ?? ready.count
            return Array(ready[..<end])
        }
    }

    private static func first(of child: ChildAhead) async throws -> ChildAhead {
        var child = child
        do {
            child.page = try await child.walk.next()
        } catch let error as PlugError {
            child.failure = error
        }
        return child
    }
}
