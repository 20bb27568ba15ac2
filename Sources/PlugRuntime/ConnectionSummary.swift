package import LosslessJSON
package import PlugCore
package import PlugStorage

/// How a connection stands: what an operator wants to know of it.
package struct ConnectionSummary: Sendable {
    /// The connection.
    package var connection: Connection
    /// Its streams of which anything is stored, with where they continue; `nil` if there is no bound.
    package var streams: [(name: String, cursor: String?)] = []
    /// How a host runs it; `nil` if it has no set-up.
    package var setup: ConnectionSetup?
    /// What its vault says of the account at the source; `nil` if it holds nothing.
    package var account: ConnectionAccount?
    /// What waits in its outbox.
    package var waiting = OutboxSize()
    /// Since when the oldest batch waits, in microseconds since 1970.
    package var waitingSince: Int64?
    /// Its dead letters.
    package var deadLetters: DeadLetterSize
    /// Its newest run.
    package var lastRun: StoredRun?
    /// Whether it is in somebody's hands just now, as it is while it runs.
    package var isLeased = false
    /// When its last run ended that was done, in microseconds since 1970.
    package var lastSuccess: Int64?
    /// How many runs in a row have ended without moving anything: the newest ones, up to the first that did.
    package var runsWithoutProgress = 0

    /// How many of the newest runs are looked at: as many as are kept, and more.
    private static let runLimit = 1_000

    /// Looks a connection up.
    package init(of connection: Connection, in store: any PlugStore) async throws {
        self.connection = connection
        setup = try await store.setup(of: connection.id)
        account = try await ConnectionAccount(of: connection, in: store)
        streams = try await Self.cursors(of: connection.id, in: store)
        for outbox in try await store.outboxes(of: connection.id) {
            waiting.batches += outbox.size.batches
            waiting.bytes += outbox.size.bytes
            waitingSince = min(waitingSince ?? .max, outbox.since)
        }
        deadLetters = try await store.deadLetterSize(of: connection.id)
        let runs = try await store.runs(of: connection.id, limit: Self.runLimit)
        lastRun = runs.first
        if let lastRun, lastRun.endedAt == nil { isLeased = try await store.isLeased(connection.id) }
        lastSuccess = runs.first { $0.outcome == RunReport.Outcome.done.rawValue }?.endedAt
        // What was killed, or continues just now, says nothing.
        runsWithoutProgress = runs.lazy.filter { $0.endedAt != nil }.prefix { !$0.hasMoved }.count
    }

    /// The streams of a connection of which anything is stored, with where they continue.
    package static func cursors(
        of connection: ConnectionID,
        in store: any PlugStore
    ) async throws -> [(name: String, cursor: String?)] {
        var streams: [(name: String, cursor: String?)] = []
        for name in try await store.streamNames(of: connection) {
            let id = StreamID(connection: connection, stream: name)
            streams.append((name, StoredStates.cursor(try await store.state(of: id, part: ""))))
        }
        return streams
    }

    /// The object that `connection show --json` prints.
    package var json: JSONValue {
        let streams = streams.map { stream in
            JSONValue.members(("stream", .text(stream.name)), ("cursor", stream.cursor.map { .text($0) } ?? .null))
        }
        let outbox = JSONValue.members(
            ("batches", .integer(waiting.batches)),
            ("bytes", .integer(waiting.bytes)),
            ("since", Self.time(waitingSince))
        )
        return .members(
            ("connection", .text(connection.id.name)),
            ("plug", .text(connection.plug)),
            ("pda", .text(connection.pda)),
            ("created", Self.time(connection.createdAt)),
            ("status", setup.map { .text($0.status.rawValue) } ?? .null),
            ("due", Self.time(setup?.status == .active ? setup?.dueAt : nil)),
            ("account", account?.json ?? .null),
            ("last_run", lastRun.map(\.summary) ?? .null),
            ("last_success", Self.time(lastSuccess)),
            ("runs_without_progress", .integer(runsWithoutProgress)),
            ("dead_letters", .integer(deadLetters.letters)),
            ("outbox", outbox),
            ("streams", .array(streams))
        )
    }

    static func time(_ time: Int64?) -> JSONValue {
        time.map { .text(Timestamp(microseconds: $0).rfc3339) } ?? .null
    }
}

extension RunReport {
    /// Whether the run was done, or anything became of a record in it. What only waits has not moved.
    package var hasMoved: Bool {
        outcome == .done || outbox.drained + outbox.deadLetters > 0
            || streams.contains { _, counts in
                counts.delivered + counts.duplicates + counts.deadLetters > 0
            }
    }
}

extension StoredRun {
    /// Whether the run was done, or anything became of a record in it.
    package var hasMoved: Bool {
        if outcome == RunReport.Outcome.done.rawValue { return true }
        guard let report = try? JSONValue(parsing: report) else { return false }
        func sum(_ object: JSONValue?, _ names: [String]) -> Int64 {
            names.reduce(0) { $0 + (object?[$1]?.number?.int64 ?? 0) }
        }
        let streams = report["streams"]?.object?.members.map(\.value) ?? []
        let moved = streams.reduce(0) { $0 + sum($1, ["delivered", "duplicates", "dead_letters"]) }
        return moved + sum(report["outbox"], ["drained", "dead_letters"]) > 0
    }

    /// `{"id", "connection", "plug_version", "began", "ended", "outcome", "error"}`; the last two are `null` for a run that
    /// continues or was killed.
    package var summary: JSONValue {
        .members(
            ("id", .number(JSONNumber(id))),
            ("connection", .text(start.connection.name)),
            ("plug_version", .text(start.version)),
            ("began", ConnectionSummary.time(start.at)),
            ("ended", ConnectionSummary.time(endedAt)),
            ("outcome", outcome.map { .text($0) } ?? .null),
            ("error", (try? JSONValue(parsing: report))?["error"] ?? .null)
        )
    }
}
