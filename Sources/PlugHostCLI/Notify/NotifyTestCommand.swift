internal import ArgumentParser
internal import CurlTransport
internal import HostConfiguration
internal import LosslessJSON
internal import Noticing
internal import PlugCore

/// `plughost notify test`
struct NotifyTestCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Sends a test notice to each target, and prints each answer.",
        usage: "plughost notify test [<options>] [<target> ...]",
        discussion: """
            The targets are those of 'notify' in plughost.yaml. Each gets one notice that
            says that it is a test; nothing is kept, and nothing is tried again. The host
            need not run.

            Prints a line for each target: its name, whether it accepted the notice, and
            what came back. Exit code 0 means that all accepted it, 1 that one did not.

            Examples:
              plughost notify test
              plughost notify test ops --config /etc/plughost/plughost.yaml
            """
    )

    @Argument(help: ArgumentHelp("Targets by their names (default: all).", valueName: "target"))
    var targets: [String] = []

    @OptionGroup var host: HostOptions
    @OptionGroup var network: NetworkOptions

    @Flag(help: "Print one JSON object per line: target, kind, delivered, text, code.")
    var json = false

    var takesInterruptions: Bool { true }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let settings = try ServedPlugs(paths: [], host: host, context: context).settings()
        let known = settings.notify.map(\.value)
        if let unknown = targets.first(where: { name in !known.contains { $0.name == name } }) {
            throw PlugError(
                .noticeTargetUnknown,
                "'notify' has no target '\(DisplayText.escaped(unknown))'",
                advice: Spelling.question(unknown, in: known.map(\.name)) ?? "'plughost config' shows the targets"
            )
        }
        let meant = targets.isEmpty ? known : known.filter { targets.contains($0.name) }
        if meant.isEmpty {
            throw PlugError(
                .noticeTargetUnknown,
                "nobody is told: 'notify' has no target",
                advice: "write one into plughost.yaml; plughost.yaml.example shows each kind"
            )
        }
        let notice = Notice.trial(
            of: settings.publicURL.value?.origin ?? "\(settings.listen.value)",
            at: context.clock.now()
        )
        var allTookIt = true
        try await NoticeTargets.withNotifiers(meant, network, context) { notifiers in
            for (target, notifier) in zip(meant, notifiers) {
                try Task.checkCancellation()
                var trial = Trial(target: target.name, kind: target.way.kind)
                do throws(PlugError) { trial.text = try await notifier.send(notice) } catch {
                    allTookIt = false
                    trial.error = error
                }
                answers(in: context).one(trial.payload, text: trial.line)
            }
        }
        return allTookIt ? .done : .failed
    }
}

/// One target's answer.
private struct Trial {
    let target: String
    let kind: String
    var text = ""
    var error: PlugError?

    var payload: JSONValue {
        .members(
            ("target", .text(target)),
            ("kind", .text(kind)),
            ("delivered", .bool(error == nil)),
            ("text", .text(error?.message ?? text)),
            ("code", error.map { .text($0.code.text) } ?? .null)
        )
    }

    var line: String {
        guard let error else { return "\(target): ok, \(kind), \(DisplayText.escaped(text))\n" }
        let advice = error.advice.map { "\n  do: \($0)" } ?? ""
        return "\(target): failed, \(kind): [\(error.code)] \(DisplayText.escaped(error.message))\(advice)\n"
    }
}
