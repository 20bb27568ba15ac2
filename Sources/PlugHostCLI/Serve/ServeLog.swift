internal import HostConfiguration
internal import Logging
internal import LosslessJSON
internal import PlugCore
internal import PlugFetch
internal import PlugHostWeb
internal import PlugRuntime
internal import PlugStorage
internal import Syncing

/// What a host says while it serves: a line for each run that ended, and for each thing that somebody should look at.
struct ServeLog: Sendable {
    /// For libraries whose lines are nobody's business.
    static var quiet: Logger {
        var logger = Logger(label: "plughost") { _ in SwiftLogNoOpLogHandler() }
        logger.logLevel = .critical
        return logger
    }

    private let context: CommandContext

    init(_ context: CommandContext) { self.context = context }

    /// Requests are taken.
    func ready(_ url: String, _ plugs: HostPlugs.Content, asJSON: Bool) {
        let ids = plugs.manifests.keys.sorted()
        if asJSON {
            context.answer(.members(("url", .text(url)), ("plugs", .array(ids.map { .text($0) }))))
            context.output.flush()
        }
        line("serving \(ids.joined(separator: ", ")) on \(url)")
    }

    /// Shows the way in where nobody is named as an operator. What fails here fails nothing else.
    func invite(_ links: OperatorLinks?, at origin: String) async {
        guard let links else { return }
        do {
            let link = try await links.make(for: OperatorLinks.anyName, at: origin)
            line("operators log in once, within 15 minutes, with \(link.reveal())")
        } catch { line("\(StoreErrors.plugError(error))") }
    }

    func ended() { line("stopped") }

    /// What is configured, and what this version does not go by yet.
    func settings(_ settings: HostSettings) {
        let runs = settings.retention.runs.origin
        if runs != .usual { line("warning: 'retention.runs' (\(runs.place ?? runs.kind)) has no effect yet") }
    }

    func reloaded(_ plugs: HostPlugs.Content) {
        line("reloaded: \(plugs.manifests.keys.sorted().joined(separator: ", "))")
    }

    func refusedReload(_ error: PlugError) { line("the plugs stay as they were. \(error)") }

    func pruned(_ counts: PruneCounts) {
        guard counts.runs + counts.notes + counts.refusals > 0 else { return }
        line("removed \(counts.runs) old runs, \(counts.notes) notes, \(counts.refusals) refusals")
    }

    func note(_ event: SyncScheduler.Event) {
        switch event {
        case .tookUp(let count): line("\(count) runs that were not ended before go on")
        case .storeFailed(let error): line("\(error)")
        case .storeRecovered: line("the state can be written again")
        case .overtaken(let connection): line("\(connection): changed during its run; the change counts")
        }
    }

    func note(_ event: SyncRunner.Event) {
        switch event {
        case .ended(let report, let end): line(Self.text(report, end))
        case .failed(let connection, let error): line("\(connection): not run. \(error)")
        case .during(let connection, .warning(code: let code, message: let message)):
            line("\(connection): warning: [\(code)] \(message)")
        case .during(let connection, .fetch(let event)):
            guard case .warning(let code, let message) = event.kind else { return }
            line("\(connection): stream '\(event.stream)': warning: [\(code)] \(message)")
        case .during: break
        }
    }

    private static func text(_ report: RunReport, _ end: ClaimEnd) -> String {
        var counts = StreamCounts()
        for (_, stream) in report.streams { counts.add(stream) }
        let next =
            switch end.status {
            case .active where report.outcome == .interrupted: "goes on at the next start"
            case .active: end.dueAt.map { "next \(ConnectionText.time($0))" } ?? "not due"
            case .paused: "paused"
            case .reconnect: "not run until the person connects again"
            case .disabled: "disabled by its PDA"
            }
        let isStuck = report.exit == .stuck
        let error =
            (isStuck ? "; \(report.runsWithoutProgress) runs without progress" : "")
            + (report.error.map { ": \($0)" } ?? "")
        return "\(report.connection): \(report.outcome.rawValue), \(RunSummary.line(counts)); \(next)\(error)"
    }

    /// One line, whatever foreign text is in it.
    private func line(_ text: String) {
        let time = Timestamp(seconds: context.clock.now() / 1_000_000).rfc3339
        context.errors.write("\(time) \(DisplayText.escaped(text.replacing("\n", with: " ")))\n")
    }
}
