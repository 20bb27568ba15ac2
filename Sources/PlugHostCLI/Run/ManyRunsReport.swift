internal import LosslessJSON
internal import PlugCore
internal import PlugRuntime

/// The result of the runs of many connections: the contract of `run --connections --json`.
struct ManyRunsReport: Sendable {
    let plug: String
    let connections: Int
    var seconds = 0.0
    /// The number of runs by outcome; those that never started are not counted.
    private(set) var outcomes: [RunReport.Outcome: Int] = [:]
    /// The sums over all connections, by stream in the manifest's order.
    private(set) var streams: [(name: String, counts: StreamCounts)] = []
    private(set) var outbox = OutboxTally()
    /// Connections with an error, in the order in which they ended.
    private(set) var failures: [(connection: String, outcome: RunReport.Outcome, error: PlugError)] = []
    private(set) var exit = ExitStatus.done
    /// The error that stopped all of them.
    private(set) var error: PlugError?

    init(plug: String, connections: Int) {
        self.plug = plug
        self.connections = connections
    }

    var ended: Int { outcomes.values.reduce(0, +) }

    /// Adds a run that has ended.
    mutating func add(_ report: RunReport) {
        outcomes[report.outcome, default: 0] += 1
        exit = max(exit, report.exit)
        for (name, counts) in report.streams {
            let at = streams.firstIndex { $0.name == name } ?? streams.count
            if at == streams.count { streams.append((name, StreamCounts())) }
            streams[at].counts.add(counts)
        }
        outbox.drained += report.outbox.drained
        outbox.deadLetters += report.outbox.deadLetters
        outbox.waiting += report.outbox.waiting
        outbox.waitingRecords = Counting.sum(outbox.waitingRecords, report.outbox.waitingRecords)
        if let error = report.error { failures.append((report.connection, report.outcome, error)) }
    }

    /// No connection can be run.
    mutating func note(_ error: PlugError) {
        self.error = error
        exit = max(exit, error.exit)
    }

    /// Some connections were not started.
    mutating func noteInterruption() { exit = max(exit, .interrupted) }

    /// The overall outcome.
    var outcome: RunReport.Outcome {
        if error != nil, ended == 0 { return .failed }
        if exit == .interrupted || exit == .terminated { return .interrupted }
        if outcomes[.done] == connections { return .done }
        return outcomes[.done, default: 0] + outcomes[.partial, default: 0] > 0 ? .partial : .failed
    }

    /// The object that `--json` prints.
    var json: JSONValue {
        func count(_ outcome: RunReport.Outcome) -> JSONValue { .integer(outcomes[outcome, default: 0]) }
        let failures = failures.map { failure in
            let members: [JSONObject.Member] = [
                ("connection", .text(failure.connection)), ("outcome", .text(failure.outcome.rawValue)),
                ("error", failure.error.json),
            ]
            return JSONValue.object(JSONObject(members))
        }
        let streams = streams.map { (JSONString($0.name), $0.counts.json) }
        let members: [JSONObject.Member] = [
            ("plug", .text(plug)), ("outcome", .text(outcome.rawValue)),
            ("seconds", JSONNumber((seconds * 1000).rounded() / 1000).map { .number($0) } ?? .null),
            ("error", error?.json ?? .null), ("connections", .integer(connections)), ("done", count(.done)),
            ("partial", count(.partial)), ("failed", count(.failed)), ("interrupted", count(.interrupted)),
            ("outbox", outbox.json), ("streams", .object(JSONObject(streams))), ("failures", .array(failures)),
        ]
        return .object(JSONObject(members))
    }

    /// For people: a line for the total, one for each outcome other than done, one for each stream.
    var text: String {
        let others: [(RunReport.Outcome, String)] = [
            (.partial, "partial"), (.failed, "failed"), (.interrupted, "interrupted"),
        ]
        let parts =
            ["\(outcomes[.done, default: 0]) done"]
            + others.compactMap { outcome, name in outcomes[outcome].map { "\($0) \(name)" } }
        let missing = connections - ended
        let rest = missing > 0 ? ", \(missing) not started" : ""
        var text = "\(plug), \(connections) connections: \(parts.joined(separator: ", "))\(rest), "
        text += "\(RunSummary.seconds(seconds))\n"
        text += RunSummary.streams(streams, isWhole: true, isDryRun: false)
        text += RunSummary.outboxLine(outbox)
        return text
    }

    /// A message with its connection, unless it already begins with that.
    static func named(_ connection: String, _ message: String) -> String {
        let name = "connection '\(connection)'"
        return message.hasPrefix(name) ? message : "\(name): \(message)"
    }

    /// The first errors, a line each, for stderr.
    func errors(limit: Int) -> String {
        var text = error.map { ErrorText.text($0) } ?? ""
        for (connection, _, error) in failures.prefix(limit) {
            var error = error
            error.message = Self.named(connection, error.message)
            error.advice = nil
            text += ErrorText.text(error)
        }
        if failures.count > limit { text += "… and \(failures.count - limit) more; --json lists them all\n" }
        return text
    }
}
