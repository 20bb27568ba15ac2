package import PlugCore
internal import Synchronization

/// Notes that outlive a process of the tests, which may die at one of its writes.
package final class KeptNotes: ServerNoteKeeping {
    /// The process is dead: nothing it does reaches anybody.
    package struct Dead: Error {
        /// What a write throws.
        package init() {}
    }

    private struct State {
        var notes: [String: ServerNote] = [:]
        var writes = 0
        /// The write at which the process dies, and whether the write is done by then.
        var death: (at: Int, isAfter: Bool)?
    }

    private let state = Mutex(State())

    /// None yet.
    package init() {}

    /// How many writes there were.
    package var writeCount: Int { state.withLock { $0.writes } }
    /// What is kept, in no order.
    package var all: [ServerNote] { state.withLock { Array($0.notes.values) } }

    /// Lets the process die at the n-th write from now on; `nil` lets it live.
    package func die(at write: Int?, isAfter: Bool = false) {
        state.withLock { state in state.death = write.map { (state.writes + $0, isAfter) } }
    }

    /// What is kept.
    package func serverNotes() async throws -> [ServerNote] { all }

    /// One of them.
    package func serverNote(_ name: String) async throws -> ServerNote? { state.withLock { $0.notes[name] } }

    /// One write.
    package func keepServerNotes(_ new: [ServerNote]) async throws { try write { _ in new } }

    /// One write where something changes.
    package func changeServerNote(
        _ name: String,
        _ change: @escaping @Sendable (ServerNote?) -> ServerNote?
    ) async throws {
        try write { change($0[name]).map { [$0] } }
    }

    /// - Parameter change: Gives `nil` where it changes nothing: that is no write.
    private func write(_ change: ([String: ServerNote]) -> [ServerNote]?) throws {
        let isDead = state.withLock { state -> Bool in
            guard let new = change(state.notes) else { return false }
            state.writes += 1
            if let death = state.death, state.writes > death.at || (state.writes == death.at && !death.isAfter) {
                return true
            }
            for note in new { state.notes[note.name] = note.expiresAt == .min ? nil : note }
            return state.death?.at == state.writes
        }
        if isDead { throw Dead() }
    }
}
