package import LosslessJSON
package import PlugCore
package import PlugStorage

/// The status of a connection, for an operator.
package struct ConnectionSummary: Sendable {
    /// The connection.
    package var connection: Connection
    /// Its streams with stored data, and where they continue; `nil` if there is no bound.
    package var streams: [(name: String, cursor: String?)] = []
    /// How a host runs it; `nil` if it has no set-up.
    package var setup: ConnectionSetup?
    /// What its vault knows about the account at the source; `nil` if the vault is empty.
    package var account: ConnectionAccount?
    /// What is waiting in its outbox.
    package var waiting = OutboxSize()
    /// When the oldest waiting batch was queued, in microseconds since 1970.
    package var waitingSince: Int64?
    /// Its dead letters.
    package var deadLetters: DeadLetterSize
    /// Its newest run.
    package var lastRun: StoredRun?
    /// Whether the connection is leased at the moment, as it is while it runs.
    package var isLeased = false
    /// When its last successful run ended, in microseconds since 1970.
    package var lastSuccess: Int64?
    /// How many runs in a row have ended without moving anything: from the newest back to the first that did.
    package var runsWithoutProgress = 0

    /// How many of the newest runs are examined: more than are kept.
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
        // Runs that were killed or are still under way say nothing.
        runsWithoutProgress = runs.lazy.filter { $0.endedAt != nil }.prefix { !$0.hasMoved }.count
    }

    /// The streams of a connection with stored data, and where they continue.
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
    /// Whether the run succeeded, or settled any record. A record that only waits has not moved.
    package var hasMoved: Bool {
        outcome == .done || outbox.drained + outbox.deadLetters > 0
            || streams.contains { _, counts in
                counts.delivered + counts.duplicates + counts.deadLetters > 0
            }
    }
}

extension StoredRun {
    /// Whether the run succeeded, or settled any record.
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

    /// `{"id", "connection", "plug_version", "began", "ended", "outcome", "error"}`; the last two are `null` for a run that is
    /// under way or was killed.
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
