internal import ArgumentParser
internal import CurlTransport
internal import PlugCore
internal import PlugManifest
internal import PlugRuntime

/// `plughost try`
struct TryCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "try",
        abstract: "Reads a few pages of a plug's source, and shows what it makes of them.",
        discussion: """
            Shows each request, records as the source has them and as they would be
            delivered, the contents of the records' members, and mistakes in a manifest
            that only data can show: a key that is not unique, a cast whose member never
            occurs, a member that is always null, paging that finds no next page, an answer
            that says that there is more.

            Nothing is sent to a PDA and nothing is kept, except for a refresh token that
            the service replaces (--connection). With --sandbox, it also starts a PDA on
            this machine and delivers the records to it.

            Examples:
              plughost try plug.yaml --config user=ada
              plughost try plug.yaml --stream posts --pages 1 --trace
              plughost try plug.yaml --source https://api.x.org=http://127.0.0.1:8000
              plughost try plug.yaml --sandbox

            Exit code 0 means that all pages could be read; other findings are warnings. 1
            means that records would be lost.
            """
    )

    @OptionGroup var live: LiveOptions

    @Option(help: ArgumentHelp("How many records of each stream to show at most.", valueName: "number"))
    var limit = 20

    @Option(name: .customLong("stream"), help: ArgumentHelp("Read this stream only. Repeatable.", valueName: "stream"))
    var streams: [String] = []

    @Option(help: ArgumentHelp("Read from this time on: a time, a date, or how long ago (7d).", valueName: "time"))
    var since: String?

    @Flag(
        help:
            "Also find out whether 'page', 'since' and the page size change the answers, and what was not asked: a few more requests."
    )
    var probe = false

    @Flag(help: "Also start a PDA on this machine, deliver the records to it, and show what arrives.")
    var sandbox = false

    @OptionGroup var sensitive: RevealOption

    @Flag(help: "Print one JSON object.")
    var json = false

    var takesInterruptions: Bool { true }

    func validate() throws {
        guard (0...10_000).contains(limit) else { throw ValidationError("--limit is a number from 0 to 10000") }
        if sandbox, json { throw ValidationError("--sandbox and --json cannot be used together") }
    }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let talk = RunTalk(context, printsRecords: false, showsWaits: true, tellsWarnings: false)
        let trace = live.tracing(talk)
        let plug = try await LivePlug(live, trace: trace, in: context)
        let report = await lend(plug, closing: { await $0.close() }) { plug in
            let reading = TrialReading(
                plug: plug,
                trial: trial,
                streams: streams,
                since: since,
                trace: trace,
                talk: talk
            )
            var report = await reading.read()
            let comparison = TrialProbe(reading)
            comparison.compare(pagesOf: &report)
            if probe { await comparison.look(into: &report) }
            for at in report.streams.indices {
                report.streams[at].records = Array(report.streams[at].records.prefix(limit))
            }
            return report
        }
        talk.end()
        answers(in: context).one(report.json, text: TrialText(report).text)
        if let error = report.run.error { context.errors.write(ErrorText.text(error)) }
        guard sandbox, report.run.error == nil else { return report.run.exit }
        return try await TrialSandbox(command: self, trial: trial).run(in: context)
    }

    private var trial: Trial {
        // A probe compares records, whether they are shown or not.
        var trial = Trial(pages: live.pages, records: probe ? max(limit, 20) : limit)
        trial.reveals = sensitive.reveal
        return trial
    }
}
