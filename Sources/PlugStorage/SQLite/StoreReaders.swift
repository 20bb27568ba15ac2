internal import GRDB
internal import PlugCore
internal import Synchronization

/// The connections that read. A writer opens them when they are first needed: the run of one plug needs none, and each costs as
/// much as a page of records.
final class StoreReaders: Sendable {
    private struct State {
        var pool: DatabasePool?
        var isClosed = false
    }

    private let folder: StateFolder
    private let state: Mutex<State>

    /// - Parameter pool: The connections, if they are open already.
    init(_ folder: StateFolder, _ pool: DatabasePool? = nil) {
        self.folder = folder
        state = Mutex(State(pool: pool))
    }

    /// The connections, opened if necessary.
    func pool() async throws -> DatabasePool {
        if let pool = state.withLock({ $0.pool }) { return pool }
        return try await onAThreadOfItsOwn { try self.openedPool() }
    }

    /// The same, on a thread that may block.
    func openedPool() throws -> DatabasePool {
        if let pool = state.withLock({ $0.pool }) { return pool }
        let opened = try StoreContent.openReaders(folder)
        let kept = state.withLock { state in
            if state.pool == nil, !state.isClosed { state.pool = opened }
            return state.pool
        }
        // Somebody else was faster.
        if kept !== opened { try? opened.close() }
        guard let kept else { throw StoreErrors.closed }
        return kept
    }

    /// Closes them. A second call has no effect.
    func close() {
        let pool = state.withLock { state in
            state.isClosed = true
            defer { state.pool = nil }
            return state.pool
        }
        // If closing fails, a connection lives as long as its owner.
        try? pool?.close()
    }
}
