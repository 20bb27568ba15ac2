package import PlugCore
internal import Synchronization

/// The notes of one process: read on first use, written as they change.
package actor ServerNotes {
    private let keeper: (any ServerNoteKeeping)?
    private var found: [String: [UInt8]]?

    /// - Parameter keeper: Where they outlive the process; `nil` keeps nothing.
    package init(_ keeper: (any ServerNoteKeeping)?) { self.keeper = keeper }

    /// Whether the notes outlive the process.
    nonisolated var isLasting: Bool { keeper != nil }

    /// The note under a name as of this process's first look, or as it has written it since.
    func found(_ name: String) async throws -> [UInt8]? {
        if let found { return found[name] }
        let notes = try await keeper?.serverNotes() ?? []
        let found = Dictionary(notes.map { ($0.name, $0.bytes) }) { $1 }
        self.found = found
        return found[name]
    }

    /// Makes the notes under some names be looked up again.
    func forget(_ scope: ForgottenLimits.Scope) { found = found?.filter { !scope.contains($0.key) } }

    /// The current note under a name, from any process.
    func current(_ name: String) async throws -> [UInt8]? {
        let bytes = try await keeper?.serverNote(name)?.bytes
        found?[name] = bytes
        return bytes
    }

    /// Keeps notes; once it returns, they outlive the process.
    func keep(_ notes: [ServerNote]) async throws {
        guard !notes.isEmpty else { return }
        try await keeper?.keepServerNotes(notes)
        for note in notes { found?[note.name] = note.expiresAt == .min ? nil : note.bytes }
    }

    /// Changes a note that other processes may change too.
    ///
    /// - Parameter change: Takes the current note; returns the new one, or `nil` to leave it, and a result for the caller. It may
    ///   be called more than once; the last call counts.
    func change<Answer: Sendable>(
        _ name: String,
        _ change: @escaping @Sendable ([UInt8]?) -> (note: ServerNote?, answer: Answer)
    ) async throws -> Answer {
        guard let keeper else { return change(nil).answer }
        let last = Mutex<(note: ServerNote?, answer: Answer)?>(nil)
        try await keeper.changeServerNote(name) { note in
            let outcome = change(note?.bytes)
            last.withLock { $0 = outcome }
            return outcome.note
        }
        guard let (note, answer) = last.withLock({ $0 }) else { return change(nil).answer }
        if let note { found?[name] = note.expiresAt == .min ? nil : note.bytes }
        return answer
    }
}
