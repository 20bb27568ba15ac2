import PlugCore
import Synchronization

/// Notes that outlive a process of the tests, which may die at one of its writes.
final class KeptNotes: ServerNoteKeeping {
    /// The process is dead: nothing it does reaches anybody.
    struct Dead: Error {}

    private struct State {
        var notes: [String: ServerNote] = [:]
        var writes = 0
        /// The write at which the process dies, and whether the write is done by then.
        var death: (at: Int, isAfter: Bool)?
    }

    private let state = Mutex(State())

    /// How many writes there were.
    var writeCount: Int { state.withLock { $0.writes } }
    var all: [ServerNote] { state.withLock { Array($0.notes.values) } }

    /// Lets the process die at the n-th write from now on; `nil` lets it live.
    func die(at write: Int?, isAfter: Bool = false) {
        state.withLock { state in state.death = write.map { (state.writes + $0, isAfter) } }
    }

    func serverNotes() async throws -> [ServerNote] { all }

    func serverNote(_ name: String) async throws -> ServerNote? { state.withLock { $0.notes[name] } }

    func keepServerNotes(_ new: [ServerNote]) async throws { try write { _ in new } }

    func changeServerNote(
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
