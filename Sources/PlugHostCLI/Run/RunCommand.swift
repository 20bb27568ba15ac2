internal import ArgumentParser
internal import CurlTransport
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import PlugRuntime
internal import PlugStorage

/// `plughost run`
struct RunCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs plugs once: delivers what is new at the source to the PDA.",
        discussion: """
            Examples:
              plughost run Plugs/wikipedia --config user='Ada L' \\
                --pda https://you.example --token-file token
              plughost run plug.yaml --config user=ada --dry-run   sends nothing
              plughost run plug.yaml … --connection ada-work       names the connection
              plughost run plug.yaml … --json                      for programs
              plughost run plug.yaml --connections people.jsonl    for many people

            A value that the manifest marks as secret comes from --config KEY=@FILE,
            PLUGHOST_CONFIG_KEY or --config-file, never from KEY=VALUE.

            Exit code 0 means that every record is in the PDA, or is a dead letter of an
            earlier run (plughost deadletters list); 1 that some became dead letters in
            this run. After 69 and 75 nothing is lost: run it again. Records that the
            PDA could not accept wait here and are sent first (plughost outbox list).
            """
    )

    @Argument(help: ArgumentHelp("A manifest, or a folder with a plug.yaml.", valueName: "path"))
    var paths: [String]

    @OptionGroup var pda: PDAOptions
    @OptionGroup var named: ConnectionOption

    @Option(
        help: ArgumentHelp(
            "Run one plug for many people: a file with one line of JSON each: connection, pda, token_file, config.",
            valueName: "file"
        )
    )
    var connections: String?

    @Option(help: ArgumentHelp("How many of --connections run at a time.", valueName: "number"))
    var parallel = 64

    @OptionGroup var config: ConfigOptions
    @OptionGroup var clients: ClientOptions
    @OptionGroup var state: PlugStateOptions

    @Option(name: .customLong("stream"), help: ArgumentHelp("Run this stream only. Repeatable.", valueName: "stream"))
    var streams: [String] = []

    @Option(
        help: ArgumentHelp(
            "Read from this time on, not from the saved cursor: a time, a date, or how long ago (7d).",
            valueName: "time"
        )
    )
    var since: String?

    @Flag(help: "Fetch, map and print the records; send and store nothing.")
    var dryRun = false

    @Flag(help: "Resend records that are known to be in the PDA.")
    var resend = false

    @Flag(help: "After lost state: count a batch as stored if 32 random records of it are in the PDA.")
    var acceptDuplicates = false

    @Flag(help: "Count everything missing at the source as deleted, even if it is more than the plug allows.")
    var acceptDeletions = false

    @Flag(help: "Store each batch before sending it: for sources that return records only once.")
    var outboxFirst = false

    @OptionGroup var programs: ProgramOptions
    @OptionGroup var limits: LimitOptions
    @OptionGroup var network: NetworkOptions
    @OptionGroup var source: SourceOptions

    @Flag(
        help: ArgumentHelp(
            "Show every request and answer on stderr, with its headers and the start of its body.",
            discussion: RequestTrace.warning
        )
    )
    var trace = false

    @Flag(help: "Print one JSON object per path.")
    var json = false

    var takesInterruptions: Bool { true }

    func validate() throws {
        guard (1...10_000).contains(parallel) else { throw ValidationError("--parallel is a number from 1 to 10000") }
        guard connections != nil else { return }
        if trace { throw ValidationError("--trace works for one connection only: leave out --connections") }
        if paths.count > 1 { throw ValidationError("--connections takes exactly one path") }
        if pda.pda != nil || pda.tokenFile != nil || named.connection != nil {
            throw ValidationError("with --connections, put the PDA, token file and connection name into its file")
        }
        if dryRun { throw ValidationError("--dry-run works for one connection only: leave out --connections") }
    }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let talk = RunTalk(context, printsRecords: !json, showsWaits: trace)
        let trace = trace ? RequestTrace(detail: .whole) { talk.write($0) } : nil
        var plugs: [LoadedPlug] = []
        for path in paths { plugs.append(LoadedPlug(path, in: context)) }
        for plug in plugs { plug.manifest?.warnOfStatus(context) }
        if let connections, let plug = plugs.first { return await runMany(connections, plug, context, talk) }
        var statuses: [ExitStatus] = []
        do {
            let world = try await RunWorld(self, manifests: plugs.compactMap(\.manifest), trace: trace, in: context)
            await lend(world, closing: { await $0.close() }) { world in
                for plug in plugs {
                    let report = await report(of: plug, world, context, talk, trace)
                    statuses.append(tell(report, talk, context))
                }
            }
        } catch {
            // An error that stops all paths is reported for each, so that a program finds a result for each path.
            for plug in plugs {
                let report = failed(plug, plug.error ?? error)
                statuses.append(tell(report, talk, context, isRepeated: !statuses.isEmpty))
            }
        }
        return statuses.max() ?? .done
    }

    private func report(
        of plug: LoadedPlug,
        _ world: RunWorld,
        _ context: CommandContext,
        _ talk: RunTalk,
        _ trace: RequestTrace?
    ) async -> RunReport {
        guard let manifest = plug.manifest else { return failed(plug, plug.error) }
        let config: JSONObject
        do { config = try world.answers.values(for: manifest) } catch { return failed(plug, error) }
        var request = request(manifest, world)
        request.config = config
        request.answered = world.answers.names(for: manifest)
        let run = PlugRun(
            request,
            store: world.store,
            grants: world.grants,
            transport: world.transport,
            clock: context.clock,
            throttling: world.throttling,
            room: world.room,
            answerRoom: world.answerRoom
        ) { event in
            trace?.note(event)
            talk.note(event)
        }
        var report = await run.run()
        if report.error?.code == .open(.templateUndefined), let advice = ConfigAnswers.advice(manifest, lacking: config)
        {
            report.error?.advice = advice
        }
        return report
    }

    /// Files of the operator and of people named on the command line.
    var privateFiles: [String] { [pda.tokenFile, connections].compactMap(\.self) + config.files + clients.files }

    /// What all runs of this command share.
    func request(_ manifest: Manifest, _ world: RunWorld) -> RunRequest {
        var request = RunRequest(manifest: manifest, pda: world.origin, token: world.token, config: JSONObject())
        request.acceptsForeignToken = pda.acceptForeignToken
        request.connection = named.connection
        request.streams = streams.isEmpty ? nil : streams
        request.since = since
        request.isDryRun = dryRun
        request.resends = resend
        request.acceptsDuplicates = acceptDuplicates
        request.acceptsDeletions = acceptDeletions
        request.queuesEverything = outboxFirst
        request.limits = world.limits
        request.programs = world.programs
        request.clients = world.clients
        return request
    }

    /// A report of a run that did not start.
    private func failed(_ plug: LoadedPlug, _ error: PlugError?) -> RunReport {
        let origin = (try? pda.address())?.origin ?? pda.pda ?? ""
        var report = RunReport(plug: plug.name, connection: named.connection ?? "", pda: origin)
        report.outcome = .failed
        report.error = error
        return report
    }

    private func tell(
        _ report: RunReport,
        _ talk: RunTalk,
        _ context: CommandContext,
        isRepeated: Bool = false
    ) -> ExitStatus {
        talk.end()
        if json {
            context.answer(report.json)
        } else if !report.streams.isEmpty {
            let text = RunSummary.text(report, isDryRun: dryRun)
            // A dry run prints its records to stdout.
            if dryRun { context.errors.write(text) } else { context.output.write(text) }
        }
        context.output.flush()
        // A person at a terminal sees the service's own words; piped output may be stored.
        if let error = report.error, !isRepeated {
            context.errors.write(ErrorText.text(context.errorsAreTerminal ? error.quoted : error))
        }
        return report.exit
    }
}
