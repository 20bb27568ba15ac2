internal import ArgumentParser
internal import Logging
internal import PlugCore
internal import PlugHostWeb
internal import PlugRuntime
internal import PlugStorage
internal import ServiceLifecycle
internal import Syncing
internal import Throttling
internal import UnixSignals

/// `plughost serve`
struct ServeCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Runs every connection when it is due, until it is stopped.",
        usage: "plughost serve <path> ... [<options>]",
        discussion: """
            'plughost connection add' makes the connections, also while it runs. Each runs
            as often as it or its plug says. What failed is tried again, later each time;
            a connection whose person has to connect again waits for that.

            GET /healthz answers as soon as the process does, GET /readyz while the state
            can be read, GET /api/v3/applications lists the plugs for PDAs.

            SIGTERM and Ctrl-C end it: what runs is stopped after its page, and goes on at
            the next start. SIGHUP reads the plugs again; if one has errors, the old ones
            stay.

            Examples:
              plughost serve Plugs/wikipedia Plugs/github
              plughost serve Plugs/* --listen 127.0.0.1:22100 --parallel 128
            """
    )

    @Argument(help: ArgumentHelp("Manifests, or folders with a plug.yaml.", valueName: "path"))
    var paths: [String]

    @Option(help: ArgumentHelp("Where it answers; port 0 takes any free port.", valueName: "host:port"))
    var listen = "127.0.0.1:22100"

    @Option(help: ArgumentHelp("How many connections run at a time.", valueName: "number"))
    var parallel = 64

    @Option(help: ArgumentHelp("How long runs may go on after SIGTERM, such as 2m.", valueName: "duration"))
    var drain = "0s"

    @Flag(help: "Allow an address that other machines can reach, without TLS.")
    var insecureListen = false

    @OptionGroup var clients: ClientOptions
    @OptionGroup var state: StateOptions
    @OptionGroup var limits: LimitOptions
    @OptionGroup var network: NetworkOptions

    @Flag(help: "Print one line of JSON when it is ready: url, plugs.")
    var json = false

    func validate() throws {
        guard (1...10_000).contains(parallel) else { throw ValidationError("--parallel is a number from 1 to 10000") }
        guard HumanDuration.parse(drain) != nil else { throw ValidationError("--drain is a duration, such as 2m") }
        guard let address = ListenAddress(listen) else {
            throw ValidationError("--listen is HOST:PORT, such as 127.0.0.1:22100")
        }
        guard insecureListen || address.isLoopback else {
            throw ValidationError(
                "other machines could reach \(listen), without TLS: put a server with TLS in front of 127.0.0.1, "
                    + "or add --insecure-listen"
            )
        }
    }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let loading = ServedPlugs(paths: paths, clients: clients, state: state, context: context)
        let plugs = HostPlugs(try loading.load())
        let log = ServeLog(context)
        try await state.withStoreToWrite(context) { store in
            let right = try store.lockHost()
            defer { right.end() }
            try await network.withTransport(pda: nil) { transport in
                let throttling = RequestThrottling(notes: store, transport: transport, clock: context.clock)
                try await lend(throttling, closing: { await $0.settle() }) { throttling in
                    let means = SyncRunner.Means(
                        store: store,
                        throttling: throttling,
                        room: PageRoom(total: limits.memory),
                        limits: try limits.limits(),
                        clock: context.clock
                    )
                    try await serve(plugs, means, store, loading, log, context)
                }
            }
        }
        log.ended()
        return .done
    }

    private func serve(
        _ plugs: HostPlugs,
        _ means: SyncRunner.Means,
        _ store: SQLiteStore,
        _ loading: ServedPlugs,
        _ log: ServeLog,
        _ context: CommandContext
    ) async throws {
        let runner = SyncRunner(plugs, means) { log.note($0) }
        let scheduler = SyncScheduler(store: store, parallel: parallel, clock: context.clock) {
            log.note($0)
        } sync: {
            await runner.run($0)
        }
        let server = HostServer(
            listen: ListenAddress(listen) ?? ListenAddress(host: "127.0.0.1", port: 0),
            directory: PlugDirectory(plugs),
            check: { _ = try await store.nextDue() },
            ready: { url in log.ready(url, plugs.current, asJSON: json) }
        )
        var configuration = ServiceGroupConfiguration(
            services: [
                .init(service: server),
                .init(
                    service: ScheduledSyncs(scheduler, drain: HumanDuration.parse(drain) ?? .zero, clock: context.clock)
                ),
                .init(service: Housekeeping(store, log, clock: context.clock)),
                .init(service: PlugReloading(loading, plugs, log)),
            ],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: ServeLog.quiet
        )
        configuration.maximumCancellationDuration = .seconds(10)
        try await ServiceGroup(configuration: configuration).run()
    }
}
