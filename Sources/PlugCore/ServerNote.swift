/// What this host remembers of a server outside any connection: rates that were used up, times to stay away.
public struct ServerNote: Sendable, Equatable {
    /// What it is about; a later note of the same name replaces this one. It may name a person's PDA.
    public var name: String
    /// UTF-8 JSON, by convention. Only its writer reads it.
    public var bytes: [UInt8]
    /// When it ceases to matter, in microseconds since 1970.
    public var expiresAt: Int64

    /// A note.
    public init(name: String, bytes: [UInt8], expiresAt: Int64) {
        self.name = name
        self.bytes = bytes
        self.expiresAt = expiresAt
    }

    /// The name of the note about what a source reports to one connection. It is removed with the connection.
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

    /// Stores some notes and removes those that have expired, in one transaction.
    func keepServerNotes(_ notes: [ServerNote]) async throws

    /// Changes one note in one transaction: no other process writes between the read and the write.
    ///
    /// - Parameter change: Receives the note, `nil` if there is none or it has expired; returns its replacement, `nil` to keep
    ///   it as it is. It may be called more than once; the last call counts.
    func changeServerNote(
        _ name: String,
        _ change: @escaping @Sendable (ServerNote?) -> ServerNote?
    ) async throws
}
