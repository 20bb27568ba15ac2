package import PlugCore

extension MemoryStore {
    /// See `PlugStore`.
    package func serverNotes() -> [ServerNote] { notes.values.filter { $0.expiresAt > clock.now() } }

    /// See `PlugStore`.
    package func serverNote(_ name: String) -> ServerNote? {
        notes[name].flatMap { $0.expiresAt > clock.now() ? $0 : nil }
    }

    /// See `PlugStore`.
    package func changeServerNote(_ name: String, _ change: @escaping @Sendable (ServerNote?) -> ServerNote?) {
        if let note = change(serverNote(name)) { keepServerNotes([note]) }
    }

    /// See `PlugStore`.
    package func keepServerNotes(_ new: [ServerNote]) {
        for note in new { notes[note.name] = note }
        notes = notes.filter { $0.value.expiresAt > clock.now() }
    }
}

extension ForwardingStore {
    package func serverNotes() async throws -> [ServerNote] { try await reading { try await store.serverNotes() } }
    package func serverNote(_ name: String) async throws -> ServerNote? {
        try await reading { try await store.serverNote(name) }
    }
    package func changeServerNote(
        _ name: String,
        _ change: @escaping @Sendable (ServerNote?) -> ServerNote?
    ) async throws {
        try await writing("change a server note") { try await store.changeServerNote(name, change) }
    }
    package func keepServerNotes(_ notes: [ServerNote]) async throws {
        try await writing("keep server notes") { try await store.keepServerNotes(notes) }
    }
}
