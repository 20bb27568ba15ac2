package import PlugCore

/// Records that could not be delivered.
///
/// What all roles promise stands at `PlugStore`.
package protocol DeadLetterStore: Sendable {
    /// Dead letters, oldest first.
    func deadLetters(_ filter: DeadLetterFilter) async throws -> [StoredDeadLetter]

    /// How much the dead letters of a connection take, or those of the whole host for `nil`.
    func deadLetterSize(of connection: ConnectionID?) async throws -> DeadLetterSize

    /// One dead letter, `nil` if there is none with this id.
    func deadLetter(_ id: Int64) async throws -> StoredDeadLetter?

    /// Removes dead letters; a person asked for it.
    ///
    /// - Returns: How many there were of them.
    func removeDeadLetters(_ ids: [Int64]) async throws -> Int

    /// Puts the newest reason on a dead letter that was tried again. Does nothing if there is none with this id.
    func renewDeadLetter(_ id: Int64, reason: String) async throws
}
