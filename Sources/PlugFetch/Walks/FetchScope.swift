/// Where a reader prefetches: work started here runs alongside the reader, and ends with the scope.
final class FetchScope: Sendable {
    typealias Work = @Sendable () async -> Void
    private let work: AsyncStream<Work>
    private let starting: AsyncStream<Work>.Continuation

    private init() { (work, starting) = AsyncStream.makeStream() }

    /// Opens a scope for as long as `body` runs. Work still in progress then is cancelled and awaited.
    static func with<Result>(_ body: (FetchScope) async throws -> Result) async throws -> Result {
        let scope = FetchScope()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await scope.run() }
            defer { group.cancelAll() }
            return try await body(scope)
        }
    }

    /// Starts work in the order given: what is requested first is first in every queue.
    ///
    /// The caller bounds the amount of work, and is notified of its end by the work itself.
    func start(_ work: @escaping Work) { starting.yield(work) }

    private func run() async {
        await withDiscardingTaskGroup { group in
            for await work in work { group.addImmediateTask { await work() } }
            // Cancelled, together with the work started here.
        }
    }
}
