internal import HostConfiguration
internal import Logging
internal import LosslessJSON
internal import Noticing
internal import PlugCore
internal import PlugFetch
internal import PlugHostWeb
internal import PlugManifest
internal import PlugRuntime
internal import PlugStorage
internal import Syncing
internal import Throttling

/// The log of a serving host: a line for each finished run, and for each thing that needs attention.
struct ServeLog: Sendable {
    /// For libraries whose messages are of no interest to users.
    static var quiet: Logger {
        var logger = Logger(label: "plughost") { _ in SwiftLogNoOpLogHandler() }
        logger.logLevel = .critical
        return logger
    }

    private let context: CommandContext
    private let logger: Logger

    private let refusals = RefusedCalls()
    private let warnings = SaidWarnings()

    init(_ form: LogForm, _ context: CommandContext) {
        self.context = context
        // Bypasses the process's own logging system, which can be set up only once, and would include libraries' messages.
        logger = Logger(label: "plughost") { _ in HostLogHandler(form, context) }
    }

    /// Requests are accepted.
    func ready(_ url: String, _ plugs: HostPlugs.Content, asJSON: Bool) {
        let ids = plugs.manifests.keys.sorted()
        if asJSON {
            context.answer(.members(("url", .text(url)), ("plugs", .array(ids.map { .text($0) }))))
            context.output.flush()
        }
        log(.info, "serving", "serving \(ids.joined(separator: ", ")) on \(url)")
        tellUnlisted(plugs)
    }

    /// The service manager does not know that the host is ready, and will end this process when its timeout expires.
    func untold(_ reason: String) {
        log(.error, "manager-untold", "the service manager cannot be told that this host is ready: \(reason)")
    }

    /// Plugs that are not listed to PDAs, and those that nobody can connect.
    private func tellUnlisted(_ plugs: HostPlugs.Content) {
        let lacking = plugs.manifests.values.filter { manifest in
            // Without a configuration nothing can fail.
            manifest.status?.state != .closed && (try? plugs.lack(of: manifest)) != .some(nil)
        }
        if !lacking.isEmpty {
            let names = lacking.map(\.id).sorted().joined(separator: ", ")
            log(
                .notice,
                "plugs-unavailable",
                "nobody can connect \(names): they need a client, a program or a file that this host lacks; each plug's page says what"
            )
        }
        for manifest in plugs.manifests.values.sorted(by: { $0.id < $1.id }) {
            let missing = PlugDirectory.missing(in: manifest)
            guard let first = missing.first else { continue }
            let others = missing.count > 1 ? ", and \(missing.count - 1) more" : ""
            log(
                .warning,
                "plug-unlisted",
                "\(manifest.id) is not listed for PDAs: \(first)\(others); see 'plughost application validate'",
                ["plug": "\(manifest.id)"]
            )
        }
    }

    /// Shows the login link if no operators are named: only on a terminal, as a journal keeps it for all who read that. A failure
    /// here has no other consequences.
    func invite(_ links: OperatorLinks?, at origin: String) async {
        guard let links else { return }
        guard context.errorsAreTerminal else {
            let text = "operators log in with a link that 'plughost operator link' prints"
            return log(.notice, "operator-link", text)
        }
        do {
            let link = try await links.make(for: OperatorLinks.anyName, at: origin, by: "host")
            log(.notice, "operator-link", "operators log in once, within 15 minutes, with \(link.reveal())")
        } catch { failed(StoreErrors.plugError(error)) }
    }

    func ended() { log(.info, "stopped", "stopped") }

    /// The host cannot serve, or no longer.
    func ended(by error: PlugError) { log(.error, "failed", "\(error)", Self.fields(error)) }

    /// A finding about the configuration or a plug.
    func found(_ finding: Diagnostic, by printer: DiagnosticPrinter) {
        let level: Logger.Level =
            switch finding.severity {
            case .error: .error
            case .warning: .warning
            case .note: .info
            }
        var fields: Logger.Metadata = ["code": "\(finding.code)", "place": "\(printer.place(of: finding))"]
        if let help = finding.help { fields["help"] = "\(help)" }
        log(level, "finding", finding.message, fields)
    }

    /// Something that another part of the program has written for people.
    func wrote(_ text: String) {
        let level: Logger.Level =
            text.hasPrefix("warning: ") ? .warning : text.hasPrefix("error: ") ? .error : .notice
        log(level, "message", String(text.drop { $0 == "\n" }.reversed().drop { $0 == "\n" }.reversed()))
    }

    /// - Parameter keys: The keys that have changed in the configuration and take effect only at the next start.
    func reloaded(_ plugs: HostPlugs.Content, waiting keys: [String]) {
        log(.info, "reloaded", "reloaded: \(plugs.manifests.keys.sorted().joined(separator: ", "))")
        if !keys.isEmpty {
            let names = keys.joined(separator: ", ")
            log(.warning, "restart-needed", "restart the host to apply changes in: \(names)")
        }
        tellUnlisted(plugs)
    }

    func refusedReload(_ error: PlugError) {
        log(.error, "reload-refused", "the plugs stay as they were. \(error)", Self.fields(error))
    }

    func rescheduled(_ count: Int) {
        if count > 0 { log(.info, "rescheduled", "\(count) connections are due at other times now") }
    }

    /// Requests come through a proxy that is not in the configuration.
    func foundProxy(_ address: String) {
        log(
            .warning,
            "proxy-unknown",
            "requests come through a server at \(address), so all its clients share one limit: if the server is yours, write "
                + "'trusted_proxies: [\"\(address)\"]' in plughost.yaml"
        )
    }

    /// The clock was set back.
    func setBack(by amount: Duration, rescheduled count: Int) {
        log(
            .warning,
            "clock-set-back",
            "the clock was set back by \(Self.rounded(amount)): \(count) connections are due at other times now"
        )
    }

    /// In the largest unit of which there are at least two.
    private static func rounded(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        let steps: [Int64] = [86_400, 3_600, 60]
        let step = steps.first { seconds >= 2 * $0 } ?? 1
        return HumanDuration.text(.seconds((seconds + step / 2) / step * step))
    }

    func pruned(_ counts: PruneCounts) {
        if counts != PruneCounts() { log(.info, "pruned", "removed \(counts.text)") }
    }

    func forgot(_ scope: ForgottenLimits.Scope) {
        let what: String =
            switch scope {
            case .all: "all limits"
            case .names(let names): names.sorted().joined(separator: ", ")
            }
        log(.notice, "limits-forgotten", "forgot \(what), because of 'limits forget'")
    }

    func rotated(_ receipt: RotationReceipt) {
        log(
            .notice,
            "key-changed",
            "a change of the host key that had begun is complete: \(receipt.newKey) in \(receipt.keyFile)"
        )
    }

    func note(_ event: GrantRenewals.Event) {
        switch event {
        case .renewed(let grant):
            let text = "\(grant.connection): its grant was renewed to keep it alive"
            log(.info, "grant-renewed", text, Self.fields(grant.connection))
        case .dead(let grant, let error):
            let text = "\(grant.connection): not run until the person connects again: \(error)"
            log(.warning, "grant-dead", text, Self.fields(error, grant.connection))
        case .failed(let grant, let error, let again):
            let text = "\(grant.connection): its grant was not renewed, next \(ConnectionText.time(again)): \(error)"
            log(.warning, "grant-not-renewed", text, Self.fields(error, grant.connection))
        case .storeFailed(let error): failed(error)
        }
    }

    func note(_ event: Noticing.Event) {
        switch event {
        case .made(let causes):
            log(
                .info,
                "notice-made",
                "\(causes == 1 ? "something needs" : "\(causes) things need") attention: a notice is sent"
            )
        case .sent(let target): log(.info, "notice-sent", "\(target): has the notice", ["target": "\(target)"])
        case .failed(let target, let error, let again):
            let fields = Self.fields(error).merging(["target": "\(target)"]) { $1 }
            let text = "\(target): the notice was not sent, next \(ConnectionText.time(again)): \(error)"
            log(.warning, "notice-failed", text, fields)
        case .dropped(let target, let error):
            let fields: Logger.Metadata = ["target": "\(target)", "code": "\(PlugError.Code.noticeDropped)"]
            log(.error, "notice-dropped", "\(target): a notice was dropped after two days: \(error)", fields)
        case .storeFailed(let error): failed(error)
        }
    }

    func note(_ event: WebhookReceiver.Event) {
        switch event {
        case .rang(let plug, let connections):
            let text = "\(plug): its service reports something new: \(connections) connections are due now"
            log(.info, "webhook-rang", text, ["plug": "\(plug)"])
        case .refused(let plug):
            guard let count = refusals.count(plug, at: context.clock.now()) else { return }
            let text = "\(plug): refused \(count) calls of its webhook: not from its service, or the secret is wrong"
            log(.warning, "webhook-refused", text, ["plug": "\(plug)"])
        case .failed(let plug, let error):
            let fields = Self.fields(error).merging(["plug": "\(plug)"]) { $1 }
            log(.error, "webhook-failed", "\(plug): a call of its webhook failed: \(error)", fields)
        }
    }

    func note(_ event: SyncScheduler.Event) {
        switch event {
        case .tookUp(let released):
            let held =
                released.held > 0 ? "; \(released.held) of them later, as hosts died more than once while they ran" : ""
            log(.notice, "taken-up", "\(released.count) unfinished runs continue\(held)")
        case .storeFailed(let error): failed(error)
        case .storeRecovered: log(.notice, "store-recovered", "the state can be written again")
        case .overtaken(let connection):
            let text = "\(connection): changed during its run; the change takes effect"
            log(.info, "overtaken", text, Self.fields(connection))
        }
    }

    func note(_ event: SyncRunner.Event) {
        switch event {
        case .ended(let report, let end):
            log(Self.level(report), "run-ended", Self.text(report, end), Self.fields(report))
        case .failed(let claim, let error):
            let text = "\(claim.connection): not run. \(error)"
            log(.error, "run-not-begun", text, Self.fields(error, claim.connection))
        case .during(let connection, .warning(code: let code, message: let message)):
            warn("\(connection)", connection, "\(code)", message, Self.fields(connection))
        case .during(let connection, .fetch(let event)):
            guard case .warning(let code, let message) = event.kind else { return }
            let place = ["\(connection)", event.place].compactMap(\.self).joined(separator: ": ")
            var fields = Self.fields(connection)
            if !event.stream.isEmpty { fields["stream"] = "\(event.stream)" }
            warn(place, connection, "\(code)", message, fields)
        case .began, .during: break
        }
    }

    /// A warning that each run repeats is said once for a connection, again when it changes, and at most once a day.
    private func warn(
        _ place: String,
        _ connection: ConnectionID,
        _ code: String,
        _ message: String,
        _ fields: Logger.Metadata
    ) {
        let key = SaidWarnings.Key(place: place, code: code)
        guard let times = warnings.count(message, key, at: context.clock.now()) else { return }
        var fields = fields
        fields["code"] = "\(code)"
        let again = times > 1 ? " (\(times) times since it was last said)" : ""
        if times > 1 { fields["times"] = .stringConvertible(times) }
        log(.warning, "run-warning", "\(place): warning: [\(code)] \(message)\(again)", fields)
    }

    private func failed(_ error: PlugError) { log(.error, "store-failed", "\(error)", Self.fields(error)) }

    /// Transient problems are warnings, those that need attention are errors.
    private static func level(_ report: RunReport) -> Logger.Level {
        switch report.exit {
        case .done, .interrupted, .terminated: .info
        case .failed, .tryLater, .unreachable, .authorisation: .warning
        default: .error
        }
    }

    private static func fields(_ connection: ConnectionID) -> Logger.Metadata { ["connection": "\(connection)"] }

    private static func fields(_ error: PlugError, _ connection: ConnectionID? = nil) -> Logger.Metadata {
        var fields: Logger.Metadata = ["code": "\(error.code)"]
        if let connection { fields["connection"] = "\(connection)" }
        return fields
    }

    private static func fields(_ report: RunReport) -> Logger.Metadata {
        var counts = StreamCounts()
        for (_, stream) in report.streams { counts.add(stream) }
        var fields: Logger.Metadata = [
            "connection": "\(report.connection)", "plug": "\(report.plug)", "outcome": "\(report.outcome.rawValue)",
            "milliseconds": .stringConvertible(Int(report.seconds * 1_000)),
            "fetched": .stringConvertible(counts.fetched), "delivered": .stringConvertible(counts.delivered),
        ]
        if let run = report.run { fields["run"] = .stringConvertible(run) }
        if let error = report.error { fields["code"] = "\(error.code)" }
        return fields
    }

    static func text(_ report: RunReport, _ end: ClaimEnd) -> String {
        var counts = StreamCounts()
        for (_, stream) in report.streams { counts.add(stream) }
        let next =
            switch end.status {
            case .active where report.outcome == .interrupted: "continues at the next start"
            case .active: end.dueAt.map { "next \(ConnectionText.time($0))" } ?? "not due"
            case .paused: "paused"
            case .reconnect: "not run until the person connects again"
            case .disabled: "disabled by its PDA"
            }
        let isStuck = report.exit == .stuck
        let error =
            (isStuck ? "; \(report.runsWithoutProgress) runs without progress" : "")
            + (report.error.map { ": \($0)" } ?? "")
        let letters = counts.deadLetters > 0 ? "; 'plughost deadletters list' says why" : ""
        return "\(report.connection): \(report.outcome.rawValue), \(RunSummary.line(counts))\(letters); \(next)\(error)"
    }

    /// - Parameter event: The event, as a stable word.
    private func log(_ level: Logger.Level, _ event: String, _ text: String, _ fields: Logger.Metadata = [:]) {
        logger.log(level: level, "\(text)", metadata: fields.merging(["event": "\(event)"]) { $1 })
    }
}
