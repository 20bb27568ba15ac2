import DataPlug

/// Reads the entries of a journal from a service that exports them on demand.
///
/// An export is asked for, and made in its own time; then it is downloaded in parts. What a manifest has no words for is the waiting,
/// and that an export which is gone meanwhile has to be asked for once more.
struct JournalExport: StreamFetcher {
    private let context: FetchContext
    /// How long to wait between two looks at an export.
    private let pause: Duration

    init(_ context: FetchContext) throws {
        self.context = context
        let seconds = context.options["pause_seconds"]?.number?.int64 ?? 5
        guard (1...600).contains(seconds) else {
            throw FetchError(.configuration, "'pause_seconds' is \(seconds)", advice: "write a number from 1 to 600")
        }
        pause = .seconds(seconds)
    }

    func page(after cursor: JSONValue?) async throws -> StreamPage {
        let place = ExportPlace(cursor)
        guard let id = place.export else { return try await begin(place) }
        guard let parts = try await finished(id) else {
            // The service has removed it: the next one begins where the last one that was read has ended.
            context.warn("the export was removed before it was read")
            return try await begin(ExportPlace(since: place.since))
        }
        return try await read(place, of: id, parts)
    }

    /// Asks for an export. Its id is kept at once, so that a later run looks for this one and does not ask again.
    private func begin(_ place: ExportPlace) async throws -> StreamPage {
        let body = JSONValue.members(("since", .integer(place.since)))
        let request = FetchRequest(
            "/exports",
            method: "POST",
            headers: ["Content-Type": "application/json"],
            body: Array(body.compactText.utf8)
        )
        guard let id = try await context.send(request).json()["id"]?.stringText else {
            throw FetchError(.data, "the answer to a new export has no 'id'")
        }
        return StreamPage([], cursor: ExportPlace(since: place.since, export: id).cursor, isLast: false)
    }

    /// Waits until an export is made.
    ///
    /// - Returns: How many parts it has; `nil` if the service does not know it any more.
    private func finished(_ id: String) async throws -> Int? {
        while true {
            let response = try await context.send(FetchRequest("/exports/\(id)", accepts: [404]))
            if response.status == 404 { return nil }
            let export = try response.json()
            switch export["state"]?.stringText {
            case "done": return Int(export["parts"]?.number?.int64 ?? 0)
            case "failed": throw FetchError(.later, "the service could not make the export")
            default: try await context.wait(pause)
            }
        }
    }

    /// Reads a part: a line for each entry, with tabs between number, time and text.
    private func read(_ place: ExportPlace, of id: String, _ parts: Int) async throws -> StreamPage {
        guard place.part <= parts else {
            return StreamPage([], cursor: ExportPlace(since: place.since).cursor, isLast: true)
        }
        let response = try await context.send(FetchRequest("/exports/\(id)/parts/\(place.part)"))
        var next = place
        var entries: [JSONValue] = []
        for (at, line) in response.text.split(separator: "\n").enumerated() {
            let cells = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
            guard cells.count == 3, let number = Int(cells[0]) else {
                throw FetchError(.data, "line \(at + 1) of part \(place.part) has no number, time and text")
            }
            entries.append(
                .members(
                    ("number", .integer(number)),
                    ("written", .text(String(cells[1]))),
                    ("text", .text(String(cells[2])))
                )
            )
            next.last = max(next.last, number)
        }
        next.part += 1
        if next.part > parts {
            return StreamPage(entries, cursor: ExportPlace(since: next.last).cursor, isLast: true)
        }
        return StreamPage(entries, cursor: next.cursor, isLast: false)
    }
}

/// Where a reading goes on.
private struct ExportPlace {
    /// The last entry that was read before this export.
    var since: Int
    /// The export that is read; `nil` if the next one is to be asked for.
    var export: String?
    /// Its next part, from 1.
    var part: Int
    /// The last entry that was read.
    var last: Int

    init(since: Int, export: String? = nil) {
        (self.since, self.export, part, last) = (since, export, 1, since)
    }

    init(_ cursor: JSONValue?) {
        self.init(since: Int(cursor?["since"]?.number?.int64 ?? 0), export: cursor?["export"]?.stringText)
        part = Int(cursor?["part"]?.number?.int64 ?? 1)
        last = Int(cursor?["last"]?.number?.int64 ?? Int64(since))
    }

    var cursor: JSONValue {
        guard let export else { return .members(("since", .integer(since))) }
        return .members(
            ("since", .integer(since)),
            ("export", .text(export)),
            ("part", .integer(part)),
            ("last", .integer(last))
        )
    }
}
