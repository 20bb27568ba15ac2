package import PlugCore
internal import Synchronization

/// The notes of one process: read when the first is asked for, written as they change.
package actor ServerNotes {
    private let keeper: (any ServerNoteKeeping)?
    private var found: [String: [UInt8]]?

    /// - Parameter keeper: Where they outlive the process; `nil` keeps nothing.
    package init(_ keeper: (any ServerNoteKeeping)?) { self.keeper = keeper }

    /// Whether what is kept outlives the process.
    nonisolated var isLasting: Bool { keeper != nil }

    /// What was kept under a name when this process began to ask, or what it has kept itself since.
    func found(_ name: String) async throws -> [UInt8]? {
        if let found { return found[name] }
        let notes = try await keeper?.serverNotes() ?? []
        let found = Dictionary(notes.map { ($0.name, $0.bytes) }) { $1 }
        self.found = found
        return found[name]
    }

    /// Looks up anew what was found under some names.
    func forget(_ scope: ForgottenLimits.Scope) { found = found?.filter { !scope.contains($0.key) } }

    /// What is kept under a name now, by whatever process.
    func current(_ name: String) async throws -> [UInt8]? {
        let bytes = try await keeper?.serverNote(name)?.bytes
        found?[name] = bytes
        return bytes
    }

    /// Keeps notes; when it returns, they outlive the process.
    func keep(_ notes: [ServerNote]) async throws {
        guard !notes.isEmpty else { return }
        try await keeper?.keepServerNotes(notes)
        for note in notes { found?[note.name] = note.expiresAt == .min ? nil : note.bytes }
    }

    /// Changes a note that other processes may change too.
    ///
    /// - Parameter change: Gets what is kept; gives what to keep instead, `nil` to leave it, and an answer for the caller.
    ///   It may be called more than once; the last call counts.
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
