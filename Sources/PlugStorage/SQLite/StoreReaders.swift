internal import GRDB
internal import PlugCore
internal import Synchronization

/// The connections that read. A writer opens them when they are first needed: the first run of a plug needs none, and each costs as
/// much as a page of records.
final class StoreReaders: Sendable {
    private struct State {
        var pool: DatabasePool?
        var isClosed = false
    }

    private let folder: StateFolder
    private let state: Mutex<State>
    /// Held while they are opened or closed, by threads that may block.
    private let opening = Mutex(())

    /// - Parameter pool: The connections, if they are open already.
    init(_ folder: StateFolder, _ pool: DatabasePool? = nil) {
        self.folder = folder
        state = Mutex(State(pool: pool))
    }

    /// The connections, if they are open.
    ///
    /// - Throws: `state-closed`, once they are closed.
    func openPool() throws -> DatabasePool? {
        try state.withLock { state in
            if state.isClosed { throw StoreErrors.closed }
            return state.pool
        }
    }

    /// The connections, opened if necessary. Never blocks the caller's thread.
    func pool() async throws -> DatabasePool {
        if let pool = try openPool() { return pool }
        return try await onAThreadOfItsOwn { try self.poolAtOnce() }
    }

    /// The same, but blocks its thread.
    func poolAtOnce() throws -> DatabasePool {
        try opening.withLock { _ in
            if let pool = try openPool() { return pool }
            let opened = try StoreContent.openReaders(folder)
            state.withLock { $0.pool = opened }
            return opened
        }
    }

    /// Closes them. A second call has no effect. Blocks its thread.
    func close() {
        opening.withLock { _ in
            let pool = state.withLock { state in
                state.isClosed = true
                defer { state.pool = nil }
                return state.pool
            }
            // If closing fails, a connection lives as long as its owner.
            try? pool?.close()
        }
    }
}
