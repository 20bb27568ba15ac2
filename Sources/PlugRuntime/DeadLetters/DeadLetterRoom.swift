internal import PlugCore
internal import PlugStorage

/// Whether there is room for a connection's dead letters. A source that keeps producing them must neither fill the disk nor cause
/// a record to be lost: the stream stops before the page that does not fit.
struct DeadLetterRoom: Sendable {
    let connection: ConnectionID
    let store: any DeadLetterStore
    let limits: DeadLetterLimits

    /// Checks that further dead letters may be kept.
    ///
    /// - Parameters:
    ///   - letters: The letters to be kept with the next commit.
    /// - Throws: `PlugError` `dead-letters-full` (75).
    func check(_ letters: [DeadLetter], in stream: StreamID) async throws {
        let host = try await store.deadLetterSize(of: nil)
        // Most hosts have none, which can be answered without looking at the connection's.
        guard host.letters > 0 || !letters.isEmpty else { return }
        let own = try await store.deadLetterSize(of: connection)
        let bytes = letters.reduce(0) { $0 + $1.record.count + $1.reason.utf8.count }
        if own.letters + max(1, letters.count) > limits.letters {
            let text = "\(own.letters) are kept and \(letters.count) more came; the limit is \(limits.letters)"
            throw full(stream, text, .deadLetters)
        }
        if own.bytes + max(1, bytes) > limits.bytes {
            throw full(stream, "they would take \(own.bytes + bytes) bytes; the limit is \(limits.bytes)", .deadLetters)
        }
        if host.bytes + max(1, bytes) > limits.hostBytes {
            let text =
                "those of all connections would take \(host.bytes + bytes) bytes; the limit is \(limits.hostBytes)"
            throw full(stream, text, .deadLetterTotal)
        }
    }

    private func full(_ stream: StreamID, _ what: String, _ limit: RunLimitKey) -> PlugError {
        PlugError(
            .deadLettersFull,
            "connection '\(connection)' has reached its limit of dead letters, so stream '\(stream.stream)' is not "
                + "read any further: \(what)",
            advice: "correct their cause (plughost deadletters list), then drop or retry them; or raise "
                + "\(limit.setting). Nothing is lost",
            stream: stream.stream,
            reach: .stream
        )
    }
}
