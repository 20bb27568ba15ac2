internal import Synchronization

/// What this host remembers of a server beside any connection: rates that were used up, times to stay away.
public struct ServerNote: Sendable, Equatable {
    /// What it is about; a later note of the same name replaces this one. It may name a person's PDA.
    public var name: String
    /// UTF-8 JSON, by convention. Whoever writes it reads it.
    public var bytes: [UInt8]
    /// When it means nothing any more, in microseconds since 1970.
    public var expiresAt: Int64

    /// A note.
    public init(name: String, bytes: [UInt8], expiresAt: Int64) {
        self.name = name
        self.bytes = bytes
        self.expiresAt = expiresAt
    }

    /// The name of the note about what a source tells one connection. It goes with the connection.
    public static func name(of connection: ConnectionID) -> String { "connection \(connection)" }

    /// Removes the note of this name.
    public static func removal(of name: String) -> ServerNote { ServerNote(name: name, bytes: [], expiresAt: .min) }
}

/// Where notes about servers outlive the process. A store is one; `PlugStore` has the contract.
public protocol ServerNoteKeeping: Sendable {
    /// All notes that have not expired.
    func serverNotes() async throws -> [ServerNote]

    /// One note as it is now, `nil` if there is none or it has expired.
    func serverNote(_ name: String) async throws -> ServerNote?

    /// Keeps some notes and removes what has expired, in one transaction.
    func keepServerNotes(_ notes: [ServerNote]) async throws

    /// Changes one note in one transaction: no other process writes between the look and the write.
    ///
    /// - Parameter change: Gets the note, `nil` if there is none or it has expired; gives what to keep in its place,
    ///   `nil` to leave it as it is. It may be called more than once; the last call counts.
    func changeServerNote(
        _ name: String,
        _ change: @escaping @Sendable (ServerNote?) -> ServerNote?
    ) async throws
}

/// The notes of one process: read when the first is asked for, written as they change.
public actor ServerNotes {
    private let keeper: (any ServerNoteKeeping)?
    private var found: [String: [UInt8]]?

    /// - Parameter keeper: Where they outlive the process; `nil` keeps nothing.
    public init(_ keeper: (any ServerNoteKeeping)?) { self.keeper = keeper }

    /// Whether what is kept outlives the process.
    public nonisolated var isLasting: Bool { keeper != nil }

    /// What was kept under a name when this process began to ask, or what it has kept itself since.
    public func found(_ name: String) async throws -> [UInt8]? {
        if let found { return found[name] }
        let notes = try await keeper?.serverNotes() ?? []
        let found = Dictionary(notes.map { ($0.name, $0.bytes) }) { $1 }
        self.found = found
        return found[name]
    }

    /// What is kept under a name now, by whatever process.
    public func current(_ name: String) async throws -> [UInt8]? {
        let bytes = try await keeper?.serverNote(name)?.bytes
        found?[name] = bytes
        return bytes
    }

    /// Keeps notes; when it returns, they outlive the process.
    public func keep(_ notes: [ServerNote]) async throws {
        guard !notes.isEmpty else { return }
        try await keeper?.keepServerNotes(notes)
        for note in notes { found?[note.name] = note.expiresAt == .min ? nil : note.bytes }
    }

    /// Changes a note that other processes may change too.
    ///
    /// - Parameter change: Gets what is kept; gives what to keep instead, `nil` to leave it, and an answer for the caller.
    ///   It may be called more than once; the last call counts.
    public func change<Answer: Sendable>(
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
