internal import Connecting
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import PlugRuntime
internal import PlugStorage
internal import Syncing

// What the API takes and gives, and what the host makes of it.

extension ConnectionDraft {
    init(_ object: JSONObject) throws {
        var body = BodyReader(object)
        self.init(
            name: try body.required("connection"),
            plug: try body.required("plug"),
            pda: try body.required("pda"),
            config: try body.object("config")
        )
        token = try body.text("token").map { Secret($0) }
        streams = try body.texts("streams")
        from = try body.text("from")
        schedule = ScheduleChoice(
            every: try body.text("every"),
            cron: try body.text("cron"),
            zone: try body.text("zone")
        )
        isPaused = try body.flag("paused")
        try body.finish()
    }
}

extension HostConnections.Change {
    init(_ object: JSONObject) throws {
        self.init()
        var body = BodyReader(object)
        if body.has("streams") { streams = .some(try body.texts("streams")) }
        if body.has("from") { from = .some(try body.text("from")) }
        let isScheduled = [body.has("every"), body.has("cron"), body.has("zone")].contains(true)
        let choice = ScheduleChoice(
            every: try body.text("every"),
            cron: try body.text("cron"),
            zone: try body.text("zone")
        )
        if isScheduled { schedule = choice }
        try body.finish()
    }
}

extension Manifest {
    /// The questions that a program must answer to connect a plug.
    var apiValue: JSONValue {
        .members(
            ("plug", .text(id)),
            ("version", .text(version)),
            (
                "config",
                .array(
                    // Callers cannot name files on the host's disk.
                    config.filter { $0.type != .file }.map { field in
                        .members(
                            ("name", .text(field.name)),
                            ("type", .text(field.type.rawValue)),
                            ("title", field.title.map { .text($0) } ?? .null),
                            ("secret", .bool(field.isSecret)),
                            ("required", .bool(field.isRequired)),
                            ("default", field.default ?? .null),
                            ("choices", .array(field.choices))
                        )
                    }
                )
            ),
            (
                "streams",
                .array(
                    streams.compactMap { stream in
                        stream.path.map { path in
                            .members(("stream", .text(stream.name)), ("path", .text("\(path)")))
                        }
                    }
                )
            )
        )
    }
}

extension [AuditEntry] {
    /// The form of a page of changes.
    var apiValue: JSONValue {
        let entries = map { entry in
            JSONValue.members(
                ("at", .text(Timestamp(microseconds: entry.at).rfc3339)),
                ("who", .text(entry.who)),
                ("what", .text(entry.what))
            )
        }
        return .members(("changes", .array(entries)))
    }
}

extension APIOperation.Parameter {
    static func limit(_ most: Int) -> Self {
        Self(
            name: "limit",
            summary: "How many at most; 50 by default.",
            schema: .members(("type", .text("integer")), ("minimum", .integer(1)), ("maximum", .integer(most)))
        )
    }

    static let after = Self(
        name: "after",
        summary: "Begins after this name: 'next' of the previous page.",
        schema: .members(("type", .text("string")))
    )
}
