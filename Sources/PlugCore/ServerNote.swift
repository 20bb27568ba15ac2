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

    /// Removes the note of this name.
    public static func removal(of name: String) -> ServerNote { ServerNote(name: name, bytes: [], expiresAt: .min) }
}

/// Where notes about servers outlive the process. A store is one; `PlugStore` has the contract.
public protocol ServerNoteKeeping: Sendable {
    /// All notes that have not expired.
    func serverNotes() async throws -> [ServerNote]

    /// Keeps some notes and removes what has expired, in one transaction.
    func keepServerNotes(_ notes: [ServerNote]) async throws
}

/// The notes of one process: read when the first is asked for, written as they change.
public actor ServerNotes {
    private let keeper: (any ServerNoteKeeping)?
    private var found: [String: [UInt8]]?

    /// - Parameter keeper: Where they outlive the process; `nil` keeps nothing.
    public init(_ keeper: (any ServerNoteKeeping)?) { self.keeper = keeper }

    /// Whether what is kept outlives the process.
    public nonisolated var isLasting: Bool { keeper != nil }

    /// What an earlier process kept under a name.
    public func found(_ name: String) async throws -> [UInt8]? {
        if let found { return found[name] }
        let notes = try await keeper?.serverNotes() ?? []
        let found = Dictionary(notes.map { ($0.name, $0.bytes) }) { $1 }
        self.found = found
        return found[name]
    }

    /// Keeps notes; when it returns, they outlive the process.
    public func keep(_ notes: [ServerNote]) async throws {
        if !notes.isEmpty { try await keeper?.keepServerNotes(notes) }
    }
}
