internal import LosslessJSON
internal import PlugCore
internal import PlugStorage

/// The text and JSON forms of batches in the outbox.
enum OutboxText {
    /// A batch's identity and since when it waits, never its content.
    static let list = ListForm<StoredOutboxBatch>(
        header: ["id", "connection", "stream", "since", "records", "size"],
        limits: [12, 28, 20, 20, 8, 12],
        columns: { stored in
            let records = stored.batch.records
            return [
                "\(stored.id)", stored.connection, stored.stream.stream, time(stored), "\(records.entries.count)",
                HumanSize.text(records.bodySize),
            ]
        },
        payload: { json($0, withRecords: false) }
    )

    /// The error for a number that does not exist.
    static func unknown(_ id: Int64) -> PlugError {
        PlugError(
            .batchUnknown,
            "there is no batch \(id) in the outbox",
            advice: "'plughost outbox list' shows the numbers; --state DIR names another state folder"
        )
    }

    /// The records as lines, in the format of a dry run: `{"data": …, "endpoint": …}`.
    static func lines(_ stored: StoredOutboxBatch) -> [UInt8] {
        let records = stored.batch.records
        return records.entries.flatMap { entry in
            Array(#"{"data":"#.utf8) + records.bytes[entry.range]
                + Array(",\"endpoint\":\"\(stored.batch.path)\"}\n".utf8)
        }
    }

    /// Everything, with the records one below the other.
    static func whole(_ stored: StoredOutboxBatch, hiding hidden: HiddenMembers, isForTerminal: Bool) -> String {
        let records = stored.batch.records
        let lines = [
            ("connection", stored.connection), ("stream", stored.stream.stream), ("endpoint", "\(stored.batch.path)"),
            ("since", time(stored)), ("records", "\(records.entries.count)"),
            ("size", HumanSize.text(records.bodySize)),
        ]
        var text = "batch \(stored.id)\n"
        for (name, value) in lines {
            text += "  \(name)\(String(repeating: " ", count: 12 - name.count))\(DisplayText.escaped(value))\n"
        }
        let pretty = PrettyJSON(isForTerminal: isForTerminal)
        return text + "\n" + self.records(stored, hidden).map { pretty.text($0) + "\n" }.joined()
    }

    /// `{"id", "connection", "stream", "endpoint", "time", "records", "bytes"}`; if requested, `records` is the list.
    static func json(
        _ stored: StoredOutboxBatch,
        withRecords: Bool,
        hiding hidden: HiddenMembers = HiddenMembers()
    ) -> JSONValue {
        let records = stored.batch.records
        let members: [JSONObject.Member] = [
            ("id", .number(JSONNumber(stored.id))), ("connection", .text(stored.connection)),
            ("stream", .text(stored.stream.stream)), ("endpoint", .text("\(stored.batch.path)")),
            ("time", .text(Timestamp(microseconds: stored.at).rfc3339)),
            ("records", withRecords ? .array(self.records(stored, hidden)) : .integer(records.entries.count)),
            ("bytes", .integer(records.bodySize)),
        ]
        return .object(JSONObject(members))
    }

    /// The records with every digit.
    private static func records(_ stored: StoredOutboxBatch, _ hidden: HiddenMembers) -> [JSONValue] {
        let records = stored.batch.records
        return records.entries.map { entry in
            let bytes = hidden.shown(Array(records.bytes[entry.range]))
            return (try? JSONValue(parsing: bytes)) ?? .text(String(decoding: bytes, as: UTF8.self))
        }
    }

    private static func time(_ stored: StoredOutboxBatch) -> String {
        Timestamp(seconds: Timestamp(microseconds: stored.at).seconds).rfc3339
    }
}

extension StoredOutboxBatch {
    fileprivate var connection: String { stream.connection.name }
}
