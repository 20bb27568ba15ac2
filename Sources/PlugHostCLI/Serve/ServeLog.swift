internal import HostConfiguration
internal import Logging
internal import LosslessJSON
internal import PlugCore
internal import PlugFetch
internal import PlugHostWeb
internal import PlugManifest
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

    private let refusals = RefusedCalls()

    init(_ context: CommandContext) { self.context = context }

    /// Requests are taken.
    func ready(_ url: String, _ plugs: HostPlugs.Content, asJSON: Bool) {
        let ids = plugs.manifests.keys.sorted()
        if asJSON {
            context.answer(.members(("url", .text(url)), ("plugs", .array(ids.map { .text($0) }))))
            context.output.flush()
        }
        line("serving \(ids.joined(separator: ", ")) on \(url)")
        tellUnlisted(plugs)
    }

    /// Plugs that PDAs are not told of.
    private func tellUnlisted(_ plugs: HostPlugs.Content) {
        for manifest in plugs.manifests.values.sorted(by: { $0.id < $1.id }) {
            let missing = PlugDirectory.missing(in: manifest)
            guard let first = missing.first else { continue }
            let others = missing.count > 1 ? ", and \(missing.count - 1) more" : ""
            line("\(manifest.id) is not listed for PDAs: \(first)\(others); see 'plughost application validate'")
        }
    }

    /// Shows the way in where nobody is named as an operator. What fails here fails nothing else.
    func invite(_ links: OperatorLinks?, at origin: String) async {
        guard let links else { return }
        do {
            let link = try await links.make(for: OperatorLinks.anyName, at: origin, by: "host")
            line("operators log in once, within 15 minutes, with \(link.reveal())")
        } catch { line("\(StoreErrors.plugError(error))") }
    }

    func ended() { line("stopped") }

    /// - Parameter keys: What has changed in the configuration and counts only from the next start on.
    func reloaded(_ plugs: HostPlugs.Content, waiting keys: [String]) {
        line("reloaded: \(plugs.manifests.keys.sorted().joined(separator: ", "))")
        if !keys.isEmpty { line("restart the host to use what has changed in: \(keys.joined(separator: ", "))") }
        tellUnlisted(plugs)
    }

    func refusedReload(_ error: PlugError) { line("the plugs stay as they were. \(error)") }

    func rescheduled(_ count: Int) { if count > 0 { line("\(count) connections are due at other times now") } }

    /// Requests come through a server that is not in the configuration.
    func foundProxy(_ address: String) {
        line(
            "requests come through a server at \(address), so that all its clients share one limit: if it is yours, write "
                + "'trusted_proxies: [\"\(address)\"]' in plughost.yaml"
        )
    }

    /// The clock was set back.
    func setBack(by amount: Duration, rescheduled count: Int) {
        line("the clock was set back by \(HumanDuration.text(amount)): \(count) connections are due at other times now")
    }

    func pruned(_ counts: PruneCounts) {
        if counts != PruneCounts() { line("removed \(counts.text)") }
    }

    func rotated(_ receipt: RotationReceipt) {
        line("a change of the host key that was begun has ended: \(receipt.newKey) in \(receipt.keyFile)")
    }

    func note(_ event: GrantRenewals.Event) {
        switch event {
        case .renewed(let grant): line("\(grant.connection): its grant was renewed, so that it stays alive")
        case .dead(let grant, let error):
            line("\(grant.connection): not run until the person connects again: \(error)")
        case .failed(let grant, let error, let again):
            line("\(grant.connection): its grant was not renewed, next \(ConnectionText.time(again)): \(error)")
        case .storeFailed(let error): line("\(error)")
        }
    }

    func note(_ event: WebhookReceiver.Event) {
        switch event {
        case .rang(let plug, let connections):
            line("\(plug): its service says that there is something new: \(connections) connections are due now")
        case .refused(let plug):
            guard let count = refusals.count(plug, at: context.clock.now()) else { return }
            line("\(plug): refused \(count) calls of its webhook: not its service's, or the secret is another one")
        case .failed(let plug, let error): line("\(plug): a call of its webhook failed: \(error)")
        }
    }

    func note(_ event: SyncScheduler.Event) {
        switch event {
        case .tookUp(let released):
            let held =
                released.held > 0 ? "; \(released.held) of them later, as hosts died more than once while they ran" : ""
            line("\(released.count) runs that were not ended before go on\(held)")
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
            let place = ["\(connection)", event.place].compactMap(\.self).joined(separator: ": ")
            line("\(place): warning: [\(code)] \(message)")
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
