internal import LosslessJSON
internal import PlugCore
internal import PlugRuntime
internal import PlugStorage

/// What operators see of a connection besides what its owner sees: its streams' positions, and what is stored for it.
struct OperatorSections {
    private struct Stream {
        var name: String
        var cursor: String?
        var pass: Int64
        var waiting: WaitingOutbox?
    }

    private let connection: Connection
    private let streams: [Stream]
    private let waiting: Int
    private let letters: Int

    /// - Parameters:
    ///   - outboxes: Its batches in the outbox.
    ///   - letters: The number of its dead letters.
    init(_ connection: Connection, _ outboxes: [WaitingOutbox], letters: Int, in store: any PlugStore) async throws {
        self.connection = connection
        waiting = outboxes.reduce(0) { $0 + $1.size.batches }
        self.letters = letters
        var streams: [Stream] = []
        for (name, cursor) in try await ConnectionSummary.cursors(of: connection.id, in: store) {
            let id = StreamID(connection: connection.id, stream: name)
            let pass = try await store.currentPass(of: id)
            streams.append(Stream(name: name, cursor: cursor, pass: pass, waiting: outboxes.first { $0.stream == id }))
        }
        self.streams = streams
    }

    /// Links to pages about it.
    var links: HTML {
        func link(_ page: String, _ text: String) -> HTML {
            "<a class=\"button plain\" href=\"\(OperatorPath.of(connection.id, page))\">\(text)</a>"
        }
        return """
            <div class="row">\(link("live", "Watch"))\(link("outbox", "Outbox (\(Words.number(waiting)))"))\
            \(link("dead-letters", "Dead letters (\(Words.number(letters)))"))</div>
            """
    }

    /// Its streams' positions.
    var html: HTML {
        let rows = streams.map { stream -> HTML in
            let since: HTML? = stream.waiting.map { " <span class=\"quiet\">since \(Words.time($0.since))</span>" }
            let batches = stream.waiting?.size.batches ?? 0
            return """
                <tr><th scope="row">\(Words.stream(stream.name))</th><td>\(stream.cursor ?? "from the start")</td>\
                <td>\(stream.pass)</td><td>\(batches == 0 ? "" : batches.counted("batch", "batches"))\(since)</td></tr>
                """
        }
        let table: HTML =
            rows.isEmpty
            ? "<p>Nothing is stored for any stream yet.</p>"
            : DataTable.html("Streams", columns: ["Stream", "Continues after", "Pass", "Waits"], rows)
        return "<h2>Streams</h2>\(table)"
    }
}
