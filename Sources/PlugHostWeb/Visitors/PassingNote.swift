/// A note of when a key or a session was used last.
///
/// Where the disk is full it cannot be written down, and the use counts all the same: the metrics and the pages are where
/// somebody sees that the disk is full.
enum PassingNote {
    /// Writes a note, if the state takes it.
    ///
    /// - Throws: `CancellationError` only.
    static func write(_ note: () async throws -> Void) async throws {
        do { try await note() } catch is CancellationError { throw CancellationError() } catch {}
    }
}
