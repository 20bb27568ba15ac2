package import PlugCore

/// Records that could not be delivered.
///
/// `PlugStore` states what all roles promise.
///
/// SQLite: `SQLiteStore+DeadLetters.swift`.
package protocol DeadLetterStore: Sendable {
    /// Dead letters, oldest first.
    func deadLetters(_ filter: DeadLetterFilter) async throws -> [StoredDeadLetter]

    /// The size of a connection's dead letters, or of the whole host's for `nil`.
    func deadLetterSize(of connection: ConnectionID?) async throws -> DeadLetterSize

    /// Finds a dead letter by id; `nil` if there is none.
    func deadLetter(_ id: Int64) async throws -> StoredDeadLetter?

    /// Removes dead letters, at a person's request.
    ///
    /// - Returns: How many of them there were.
    func removeDeadLetters(_ ids: [Int64]) async throws -> Int

    /// Updates the reason of a dead letter that was retried. Does nothing if there is none with this id.
    func renewDeadLetter(_ id: Int64, reason: String) async throws
}
