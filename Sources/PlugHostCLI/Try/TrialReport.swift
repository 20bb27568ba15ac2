internal import LosslessJSON
internal import PlugCore
internal import PlugRuntime

/// The findings of `plughost try`.
struct TrialReport: Sendable {
    /// One stream.
    struct Stream: Sendable {
        var name: String
        var path: String
        var counts: StreamCounts
        var records: [TriedRecord]
        var columns: ColumnSurvey?
    }

    /// Something that needs attention.
    struct Finding: Sendable {
        var code: PlugError.Code
        var message: String
        var stream: String?
        /// Whether records would be lost, or could not be read.
        var isError: Bool

        init(code: PlugError.Code, message: String, stream: String?, isError: Bool) {
            (self.code, self.message, self.stream, self.isError) = (code, message, stream, isError)
        }

        init(_ error: PlugError) {
            self.init(code: error.code, message: error.message, stream: error.stream, isError: true)
        }
    }

    /// What `--probe` asked of one stream, and what it did not ask, and why.
    struct Probe: Sendable {
        var stream: String
        var asked: [String] = []
        var unasked: [(what: String, reason: String)] = []
    }

    var run: RunReport
    var streams: [Stream]
    var findings: [Finding]
    var probes: [Probe] = []

    init(run: RunReport, streams: [Stream], findings: [Finding]) {
        self.run = run
        self.streams = streams
        // An error of any stream but the first is also reported as a warning.
        let errors = findings.filter(\.isError)
        self.findings = findings.filter { finding in
            finding.isError
                || !errors.contains { finding.message.hasSuffix($0.message) && $0.code.text == finding.code.text }
        }
    }

    /// The object that `try --json` prints.
    var json: JSONValue {
        var object = run.json.object ?? JSONObject()
        for name in ["pda", "outbox", "runs_without_progress"] as [JSONString] { object[name] = nil }
        object["streams"] = .object(JSONObject(streams.map { (JSONString($0.name), $0.json) }))
        object["findings"] = .array(findings.map(\.json))
        if !probes.isEmpty { object["probes"] = .array(probes.map(\.json)) }
        return .object(object)
    }
}

extension TrialReport.Finding {
    fileprivate var json: JSONValue {
        .members(
            ("severity", .text(isError ? "error" : "warning")),
            ("code", .text(code.text)),
            ("stream", stream.map { .text($0) } ?? .null),
            ("message", .text(message))
        )
    }
}

extension TrialReport.Probe {
    fileprivate var json: JSONValue {
        .members(
            ("stream", .text(stream)),
            ("asked", .array(asked.map { .text($0) })),
            ("not_asked", .object(JSONObject(unasked.map { (JSONString($0.what), .text($0.reason)) })))
        )
    }
}

extension TrialReport.Stream {
    fileprivate var json: JSONValue {
        let members = columns?.columns.map { column in
            JSONValue.members(
                ("name", .text(column.name)),
                ("types", .array(column.types.map { .text($0) })),
                ("null", .integer(column.nulls)),
                ("absent", .integer((columns?.records ?? 0) - column.present)),
                ("example", column.example.map { TrialText.shortened($0) } ?? .null)
            )
        }
        let records = records.map { record in
            JSONValue.members(
                ("source", record.source),
                ("delivered", record.delivered ?? .null),
                ("reason", record.reason.map { .text($0) } ?? .null)
            )
        }
        return .members(
            ("endpoint", .text(path)),
            ("counts", counts.json),
            ("records", .array(records)),
            ("members", .array(members ?? []))
        )
    }
}
