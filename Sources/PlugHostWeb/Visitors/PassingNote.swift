/// A record of when a key or a session was last used.
///
/// If the disk is full it cannot be written, but the use is still accepted: the metrics and the pages show that the disk is full.
enum PassingNote {
    /// Writes a record, if the state accepts it.
    ///
    /// - Throws: `CancellationError` only.
    static func write(_ note: () async throws -> Void) async throws {
        do { try await note() } catch is CancellationError { throw CancellationError() } catch {}
    }
}
