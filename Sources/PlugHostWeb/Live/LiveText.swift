internal import PlugCore
internal import PlugRuntime
internal import PlugStorage
internal import Syncing

/// The progress of a run, for a page and for those who watch it.
struct LiveText: Equatable {
    /// One sentence, which screen readers announce when it changes.
    let state: String
    /// The numbers.
    let html: HTML

    /// - Parameters:
    ///   - progress: What this process knows of the run.
    ///   - last: The latest stored run.
    ///   - isLeased: Whether any process is running the connection.
    init(_ progress: LiveRuns.Progress?, last: StoredRun?, isLeased: Bool) {
        if let progress {
            state = "A run is under way."
            let table: HTML =
                progress.streams.isEmpty ? "<p>It is about to start.</p>" : StreamTable.html(progress.streams)
            let warnings: HTML? =
                progress.warnings.isEmpty
                ? nil
                : "<p class=\"warn\">Warnings: \(Words.list(progress.warnings)).</p>"
            html = "<p class=\"quiet\">Since \(Words.second(progress.startedAt))</p>\(table)\(warnings)"
        } else if isLeased {
            state = "Another process is working on this connection."
            html = "<p>The numbers appear when the run ends.</p>"
        } else if let last, let ended = last.endedAt {
            state = "No run is under way."
            let path = OperatorPath.of(last.start.connection, "runs/\(last.id)")
            html =
                "<p><a href=\"\(path)\">The last run</a> ended <span class=\"quiet\">\(Words.second(ended))</span></p>"
        } else {
            state = "No run is under way."
            html = ""
        }
    }
}

/// The numbers of streams, as a table.
enum StreamTable {
    static func html(_ streams: [LiveRuns.Stream]) -> HTML {
        let rows = streams.map { stream -> HTML in
            let counts = stream.counts
            let numbers = [
                counts.requests, counts.fetched, counts.delivered, counts.known + counts.duplicates,
                counts.deadLetters, counts.queued,
            ]
            let cells = numbers.map { number -> HTML in "<td>\(Words.number(number))</td>" }
            return "<tr><th scope=\"row\">\(Words.stream(stream.name))</th>\(cells.joined())</tr>"
        }
        let columns = ["Stream", "Requests", "Records", "New", "Known", "Refused", "Queued"]
        return DataTable.html("Streams", columns: columns, rows)
    }
}
