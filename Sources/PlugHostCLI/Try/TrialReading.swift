internal import PlugCore
internal import PlugFetch
internal import PlugManifest
internal import PlugRuntime
internal import Synchronization

/// Reads some pages of a plug's streams, and collects what they show.
struct TrialReading: Sendable {
    let plug: LivePlug
    let trial: Trial
    let streams: [String]
    let since: String?
    let trace: RequestTrace
    let talk: RunTalk

    /// Reads as the command line specifies.
    func read() async -> TrialReport {
        var request = plug.request(streams)
        request.since = since
        return await read(request, trial)
    }

    /// Reads as a request specifies.
    func read(_ request: RunRequest, _ trial: Trial) async -> TrialReport {
        var request = request
        request.trial = trial
        let (plug, trace, talk) = (plug, trace, talk)
        request.advice = { plug.advice($0) }
        let collected = Mutex(Collected())
        let run = PlugRun(request, store: nil, grants: plug.grants, transport: plug.sender, clock: plug.clock) {
            event in
            trace.note(event)
            talk.note(event)
            collected.withLock { $0.add(event) }
        }
        let report = await run.run()
        let streams = request.manifest.streams
        return collected.withLock { collected in
            TrialReport(
                run: report,
                streams: report.streams.map { name, counts in
                    TrialReport.Stream(
                        name: name,
                        path: streams.first { $0.name == name }?.path?.description ?? "",
                        counts: counts,
                        records: collected.records[name] ?? [],
                        columns: collected.columns[name]
                    )
                },
                findings: collected.findings + report.errors.map { .init($0) }
            )
        }
    }

    /// The events of a run.
    private struct Collected {
        var records: [String: [TriedRecord]] = [:]
        var columns: [String: ColumnSurvey] = [:]
        var findings: [TrialReport.Finding] = []

        mutating func add(_ event: RunEvent) {
            switch event {
            case .tried(let stream, let record): records[stream, default: []].append(record)
            case .columns(let stream, let survey): columns[stream] = survey
            case .warning(let code, let message): note(code, message, nil)
            case .fetch(let event):
                if case .warning(let code, let message) = event.kind {
                    note(code, message, event.stream.isEmpty ? nil : event.stream)
                }
            default: break
            }
        }

        /// Successive dead letters may have the same reason, and another stream's error is in the report as well.
        private mutating func note(_ code: PlugError.Code, _ message: String, _ stream: String?) {
            let finding = TrialReport.Finding(code: code, message: message, stream: stream, isError: false)
            let isKnown = findings.contains { $0.message == message && $0.code.text == code.text }
            if !isKnown, findings.count < Self.limit { findings.append(finding) }
        }

        private static let limit = 1000
    }
}
