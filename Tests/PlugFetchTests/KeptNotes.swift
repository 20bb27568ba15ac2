import PlugCore
import Synchronization

/// Notes that outlive a process of the tests, which may die at one of its writes.
final class KeptNotes: ServerNoteKeeping {
    /// The process is dead: nothing it does reaches anybody.
    struct Dead: Error {}

    private let notes = Mutex<[String: ServerNote]>([:])
    private let writes = Mutex(0)
    /// The write at which the process dies, and whether the write is done by then.
    private let death = Mutex<(at: Int, isAfter: Bool)?>(nil)

    /// How many writes there were.
    var writeCount: Int { writes.withLock { $0 } }
    var all: [ServerNote] { notes.withLock { Array($0.values) } }

    /// Lets the process die at the n-th write from now on; `nil` lets it live.
    func die(at write: Int?, isAfter: Bool = false) {
        let now = writeCount
        death.withLock { $0 = write.map { (now + $0, isAfter) } }
    }

    func serverNotes() async throws -> [ServerNote] { all }

    func serverNote(_ name: String) async throws -> ServerNote? { notes.withLock { $0[name] } }

    func keepServerNotes(_ new: [ServerNote]) async throws { try write { _ in new } }

    func changeServerNote(
        _ name: String,
        _ change: @escaping @Sendable (ServerNote?) -> ServerNote?
    ) async throws {
        // One that changes nothing is no write.
        guard notes.withLock({ change($0[name]) }) != nil else { return }
        try write { change($0[name]).map { [$0] } ?? [] }
    }

    private func write(_ change: ([String: ServerNote]) -> [ServerNote]) throws {
        let at = writes.withLock { writes in
            writes += 1
            return writes
        }
        let death = death.withLock { $0 }
        if let death, at > death.at || (at == death.at && !death.isAfter) { throw Dead() }
        notes.withLock { notes in
            for note in change(notes) { notes[note.name] = note.expiresAt == .min ? nil : note }
        }
        if let death, at == death.at { throw Dead() }
    }
}
