package import LosslessJSON
package import PlugCore
package import PlugStorage

/// The status of a connection, for an operator.
package struct ConnectionSummary: Sendable {
    /// The connection, and how it stands.
    package var brief: ConnectionBrief
    /// Its streams with stored data, and where they continue; `nil` if there is no bound.
    package var streams: [(name: String, cursor: String?)] = []
    /// How a host runs it; `nil` if it has no set-up.
    package var setup: ConnectionSetup?
    /// What its vault knows about the account at the source; `nil` if the vault is empty.
    package var account: ConnectionAccount?

    /// Looks a connection up.
    ///
    /// - Throws: `PlugError` `connection-unknown`.
    package init(of connection: Connection, in store: any PlugStore) async throws {
        guard let brief = try await store.brief(of: connection.id) else {
            throw StoreErrors.connectionUnknown(connection.id)
        }
        self.brief = brief
        setup = try await store.setup(of: connection.id)
        account = try await ConnectionAccount(of: connection, in: store)
        streams = try await Self.cursors(of: connection.id, in: store)
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
        var object = brief.json.object ?? JSONObject()
        object["account"] = account?.json ?? .null
        object["streams"] = .array(streams)
        return .object(object)
    }

    static func time(_ time: Int64?) -> JSONValue {
        time.map { .text(Timestamp(microseconds: $0).rfc3339) } ?? .null
    }
}

extension ConnectionBrief {
    /// The object that `connection list --json` prints.
    package var json: JSONValue {
        let outbox = JSONValue.members(
            ("batches", .integer(waiting.batches)),
            ("bytes", .integer(waiting.bytes)),
            ("since", ConnectionSummary.time(waitingSince))
        )
        let health = state.trouble.map { health, trouble in
            JSONValue.members(
                ("state", .text(health.rawValue)),
                ("code", .text(trouble.code)),
                ("since", ConnectionSummary.time(trouble.since))
            )
        }
        return .members(
            ("connection", .text(id.name)),
            ("plug", .text(plug)),
            ("pda", .text(pda)),
            ("created", ConnectionSummary.time(createdAt)),
            ("status", status.map { .text($0.rawValue) } ?? .null),
            ("health", health ?? .null),
            ("due", ConnectionSummary.time(dueAt)),
            ("last_run", lastRun.map(\.summary) ?? .null),
            ("last_success", ConnectionSummary.time(lastSuccess)),
            ("runs_without_progress", .integer(trouble?.runs ?? 0)),
            ("dead_letters", .integer(deadLetters)),
            ("outbox", outbox)
        )
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
