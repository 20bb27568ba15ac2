/// Where a reader fetches ahead: work that is started here continues beside whoever reads, and ends with the scope.
final class FetchScope: Sendable {
    typealias Work = @Sendable () async -> Void
    private let work: AsyncStream<Work>
    private let starting: AsyncStream<Work>.Continuation

    private init() { (work, starting) = AsyncStream.makeStream() }

    /// Opens a scope for as long as `body` runs. What is under way then is cancelled and waited for.
    static func with<Result>(_ body: (FetchScope) async throws -> Result) async throws -> Result {
        let scope = FetchScope()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await scope.run() }
            defer { group.cancelAll() }
            return try await body(scope)
        }
    }

    /// Starts work, in the order in which it is given: what is asked for first is first in every line.
    ///
    /// Whoever starts it bounds how much there is, and is told of its end by the work itself.
    func start(_ work: @escaping Work) { starting.yield(work) }

    private func run() async {
        await withDiscardingTaskGroup { group in
            for await work in work { group.addImmediateTask { await work() } }
            // Cancelled, and so is what was started.
        }
    }
}
