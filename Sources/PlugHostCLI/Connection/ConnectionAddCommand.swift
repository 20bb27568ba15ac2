internal import ArgumentParser
internal import CurlTransport
internal import LosslessJSON
internal import PDAWire
internal import PlugCore
internal import PlugManifest
internal import PlugRuntime
internal import PlugStorage
internal import Syncing

/// `plughost connection add`
struct ConnectionAddCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Makes a connection that a host runs automatically, or changes its set-up.",
        usage: "plughost connection add <name> <path> [<options>]",
        discussion: """
            It keeps the answers (--config), encrypted, and the PDA's token, so that
            'plughost serve' needs nothing else. A connection that 'run' or 'connect' has
            made keeps its cursors and its consent. Without --every and --cron the
            manifest's 'every' says how often it runs; streams without one run every hour.
            If the plug needs a consent that nobody has given, the connection waits for
            'plughost connect'; if this host lacks what the plug needs (an OAuth client, a
            program, a file), it is refused.

            Examples:
              plughost connection add ada-work Plugs/wikipedia --config user='Ada L' \\
                --pda https://you.example --token-file token
              plughost connection add ada-work Plugs/wikipedia --config user='Ada L' \\
                --cron '0 6 * * MON-FRI' --zone Europe/Berlin
            """
    )

    @Argument(help: ArgumentHelp("The connection's name.", valueName: "name"))
    var name: String

    @Argument(help: ArgumentHelp("A manifest, or a folder with a plug.yaml.", valueName: "path"))
    var path: String

    @OptionGroup var pda: PDAOptions
    @OptionGroup var config: ConfigOptions

    @Option(name: .customLong("stream"), help: ArgumentHelp("Run this stream only. Repeatable.", valueName: "stream"))
    var streams: [String] = []

    @Option(
        help: ArgumentHelp("The first day to read, such as 2026-01-31 (default: as the plug says).", valueName: "day")
    )
    var from: String?

    @Option(help: ArgumentHelp("How often it runs, such as 15m, 1h or 1d.", valueName: "duration"))
    var every: String?

    @Option(help: ArgumentHelp("When it runs: five fields, as in crontab(5).", valueName: "expression"))
    var cron: String?

    @Option(help: ArgumentHelp("The time zone of --cron, such as Europe/Berlin (default: UTC).", valueName: "zone"))
    var zone: String?

    @Flag(help: "Do not run it until it is resumed.")
    var paused = false

    @OptionGroup var state: PlugStateOptions

    @Flag(help: "Print one JSON object: connection, plug, pda, status, due.")
    var json = false

    func validate() throws {
        if every != nil, cron != nil { throw ValidationError("--every and --cron cannot be used together") }
        if zone != nil, cron == nil { throw ValidationError("--zone is for --cron") }
    }

    func run(in context: CommandContext) async throws -> ExitStatus {
        try RunWorld.check(name)
        let manifest = try Manifests.load(path, in: context)
        manifest.warnOfStatus(context)
        let plan = try plan(manifest, context)
        try ServedPlugs.host(of: manifest, in: state, context).check(
            manifest,
            config: plan.config,
            streams: plan.streams
        )
        let address = try pda.pda.map { text throws(PlugError) in try PDAOptions.address(of: text) }
        let token = try pda.tokenFile.map { file throws(PlugError) in try PDAOptions.token(in: file) }
        let id = ConnectionID(name)
        let change = try await state.withStoreToWrite(context) { store in
            let known = try await store.connection(id)
            let origin = try known?.pda ?? pda.address().origin
            // Errors in the token are reported before anything is stored.
            let file = token == nil && known == nil ? try pda.token() : token
            let isForeign = pda.acceptForeignToken
            if let file {
                try ConnectionToken.check(
                    file,
                    plug: manifest.id,
                    pda: address?.origin ?? origin,
                    acceptsForeign: isForeign,
                    clock: context.clock
                )
            }
            let connection = try await store.openConnection(id, plug: manifest.id, pda: address?.origin ?? origin)
            let warnings = try await ConnectionToken.keep(
                file,
                of: connection,
                acceptsForeign: isForeign,
                in: store,
                clock: context.clock
            )
            for warning in warnings {
                context.errors.write("warning: [\(warning.code)] \(warning.message)\n")
            }
            let needsConsent = try manifest.choosing(plan.config).authorization.consent != nil
            let account = needsConsent ? try await ConnectionAccount(of: connection, in: store) : nil
            let waits = needsConsent && (account?.connected == nil || account?.isDead == true)
            let status: ConnectionSetup.Status = waits ? .reconnect : paused ? .paused : .active
            let setup = ConnectionSetup(
                status: status,
                dueAt: status == .active ? context.clock.now() : nil,
                content: plan.content
            )
            let entry = AuditEntry(at: context.clock.now(), who: "shell", what: known == nil ? "added" : "set up")
            try await store.keepSetup(setup, of: id, entry)
            return ConnectionChange(connection: connection, setup: setup)
        }
        answers(in: context).one(change.json, text: change.text)
        return .done
    }

    /// The plug for the host to run; mistakes are reported now and not at night.
    private func plan(_ manifest: Manifest, _ context: CommandContext) throws -> ConnectionPlan {
        let answers = try config.answers(context)
        try answers.checkNames([manifest])
        let values = try answers.values(for: manifest)
        if let advice = ConfigAnswers.advice(manifest, lacking: values) {
            throw PlugError(.configMissing, "the plug '\(manifest.id)' needs more answers", advice: advice)
        }
        let given = answers.names(for: manifest)
        var plan = ConnectionPlan(config: JSONObject(values.members.filter { given.contains($0.key.text) }))
        plan.streams = streams.isEmpty ? nil : streams
        try FirstDay.check(from)
        plan.from = from
        plan.acceptsForeignToken = pda.acceptForeignToken
        (plan.every, plan.cron, plan.zone) = (every, cron, zone)
        _ = try SyncSchedule(plan, manifest)
        return plan
    }
}
