internal import ArgumentParser
internal import Connecting
internal import CurlTransport
internal import HostConfiguration
internal import Measuring
internal import Noticing
internal import PDAWire
internal import PlugCore
internal import PlugFetch
internal import PlugHostWeb
internal import PlugRuntime
internal import PlugStorage
internal import ServiceLifecycle
internal import Syncing
internal import Throttling
internal import UnixSignals

/// `plughost serve`
struct ServeCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Runs every connection when it is due, until stopped.",
        usage: "plughost serve [<path> ...] [<options>]",
        discussion: """
            'plughost connection add' makes the connections, even while the host runs. Each
            runs as often as it or its plug says. Failed runs are retried at growing
            intervals; a connection that needs its person to connect again waits until that
            is done.

            'plughost config' shows its configuration from plughost.yaml, variables and
            options. Without any path, and without 'plugs' in the file, it serves the
            bundled plugs.

            GET /healthz answers as soon as the process does, GET /readyz while the state
            can be read and its disk has room, GET /api/v3/applications lists the plugs for
            PDAs. Without 'operators' in the configuration it prints a link that logs an
            operator in, once; 'plughost operator link' prints another.

            SIGTERM and Ctrl-C end it with exit code 0: runs stop after their current page
            and continue at the next start. A second signal ends a long --drain. SIGHUP
            reads plugs, OAuth clients, the schedule, 'retention' and 'operators' again; if
            anything is invalid, the previous ones stay in use.

            Examples:
              plughost serve
              plughost serve Plugs/wikipedia Plugs/mastodon --listen 127.0.0.1:0
              plughost serve --config /etc/plughost/plughost.yaml --drain 2m
            """
    )

    @Argument(help: ArgumentHelp("Manifests, folders with a plug.yaml, or folders of such folders.", valueName: "path"))
    var paths: [String] = []

    @OptionGroup var host: HostOptions

    @Option(help: ArgumentHelp("How many connections run at a time (default: limits.parallel).", valueName: "number"))
    var parallel: Int?

    @Option(help: ArgumentHelp("How long runs may continue after SIGTERM, such as 2m.", valueName: "duration"))
    var drain = "0s"

    @OptionGroup var network: NetworkOptions

    @Option(help: ArgumentHelp("How stderr is written: text, or json: one object a line.", valueName: "format"))
    var logFormat = LogForm.text

    @Flag(help: "Print one line of JSON when it is ready: url, plugs.")
    var json = false

    func validate() throws {
        guard (1...10_000).contains(parallel ?? 1) else {
            throw ValidationError("--parallel is a number from 1 to 10000")
        }
        guard HumanDuration.parse(drain) != nil else { throw ValidationError("--drain is a duration, such as 2m") }
    }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let log = ServeLog(logFormat, context)
        guard logFormat == .json else { return try await serve(in: context, log) }
        // Whatever is written to stderr is one object, also what other parts of the program write.
        var inner = context
        inner.errors = TextSink { log.wrote($0) }
        inner.errorsAreTerminal = false
        inner.finding = { log.found($0, by: $1) }
        do { return try await serve(in: inner, log) } catch let error as PlugError {
            log.ended(by: error)
            return error.exit
        }
    }

    private func serve(in context: CommandContext, _ log: ServeLog) async throws -> ExitStatus {
        let loading = ServedPlugs(paths: paths, host: host, context: context)
        let settings = try loading.settings()
        let plugs = HostPlugs(try loading.load(settings))
        let registry = MetricRegistry(HostMetrics.all)
        let store = try await SQLiteStore.open(
            folder: settings.state.value,
            access: .write(wait: .zero),
            keyFile: context.environment["PLUGHOST_KEY_FILE"],
            clock: context.clock
        ) { registry.observe($0 / .seconds(1), in: HostMetrics.commits) }
        try await lend(store, closing: { await $0.close() }) { store in
            let right = try store.lockHost()
            defer { right.end() }
            try await store.keep(settings.retention.bounds)
            try await network.withTransport(pda: nil, of: settings) { transport in
                let measured = MeasuredTransport(transport, registry, clock: context.clock)
                let throttling = RequestThrottling(notes: store, transport: measured, clock: context.clock)
                try await lend(throttling, closing: { await $0.settle() }) { throttling in
                    var means = SyncRunner.Means(
                        store: store,
                        throttling: throttling,
                        room: PageRoom(total: settings.limits.memory.value),
                        limits: settings.limits.ofEachRun,
                        clock: context.clock
                    )
                    let files = [host.config, store.keyFile].compactMap(\.self) + context.hostFiles
                    let programs = ProgramPolicy(transport.policy, settings, hiding: [settings.state.value] + files)
                    means.programs = programs
                    var served = plugs.current
                    served.programs = programs
                    plugs.replace(with: served)
                    let metrics = ServeMetrics(registry, store, clock: context.clock)
                    let work = Work(
                        plugs: plugs,
                        means: means,
                        store: store,
                        loading: loading,
                        log: log,
                        metrics: metrics
                    )
                    try await NoticeTargets.withNotifiers(settings.notify.map(\.value), network, context) { targets in
                        try await serve(work, settings, transport, targets, context)
                    }
                }
            }
        }
        log.ended()
        return .done
    }

    /// What the services share.
    private struct Work {
        let plugs: HostPlugs
        let means: SyncRunner.Means
        let store: SQLiteStore
        let loading: ServedPlugs
        let log: ServeLog
        let metrics: ServeMetrics
    }

    private func serve(
        _ work: Work,
        _ settings: HostSettings,
        _ transport: HTTPTransport,
        _ targets: [any Notifier],
        _ context: CommandContext
    ) async throws {
        let (plugs, store, log, metrics) = (work.plugs, work.store, work.log, work.metrics)
        let live = LiveRuns(clock: context.clock)
        let runner = SyncRunner(plugs, work.means) {
            live.note($0)
            metrics.note($0)
            log.note($0)
        }
        let bell = Bell()
        let scheduler = SyncScheduler(
            store: store,
            parallel: parallel ?? settings.limits.parallel.value,
            clock: context.clock,
            bell: bell,
            rests: work.means.rests
        ) {
            metrics.note($0)
            log.note($0)
        } sync: {
            await runner.run($0, yielding: $1)
        }
        let times = DueTimes(store: store, plugs: plugs, clock: context.clock, bell: bell)
        let renewer = GrantRenewer(plugs, work.means)
        let renewals = GrantRenewals(store: store, clock: context.clock) {
            log.note($0)
        } renew: {
            try await renewer.renew($0)
        }
        let connecting = SourceConnecting(store, plugs, work.means.throttling, clock: context.clock, bell: bell)
        let (drain, ready, hurry) = (HumanDuration.parse(drain) ?? .zero, Bell(), Bell())
        let (listens, polls, tells) = (Bell(), Bell(), Bell())
        let links = settings.operators.value.isEmpty ? OperatorLinks(store, clock: context.clock) : nil
        let publicURL = settings.publicURL.value
        let manager = ServiceManager(context.environment)
        let address = PublicAddress(publicURL?.origin)
        let folder = settings.state.value
        let noticing = Noticing(
            store: store,
            targets: targets,
            host: { address.origin ?? "\(settings.listen.value)" },
            disk: { MachineChecks.shortage(at: folder) },
            clock: context.clock
        ) {
            metrics.note($0)
            log.note($0)
        }
        let server = HostServer(
            HostServer.Means(
                store: store,
                plugs: plugs,
                directory: directory(PlugDirectory(plugs, at: address), settings, transport),
                throttling: work.means.throttling,
                verifier: PDATokenVerifier(transport, policy: transport.policy, clock: context.clock),
                policy: transport.policy,
                webhooks: WebhookReceiver(plugs, store: store, clock: context.clock, bell: bell) { log.note($0) },
                bell: bell,
                live: live,
                metrics: { try await metrics.text() },
                clock: context.clock
            ) {
                _ = try await store.nextDue()
                try MachineChecks.checkRoom(at: folder)
            },
            listen: settings.listen.value,
            publicURL: publicURL,
            behind: TrustedProxies(settings.trustedProxies.value) { log.foundProxy($0) },
            ready: { url in
                address.listens(at: url)
                do throws(FileError) { try RecordedAddress.record(url, in: folder) } catch {
                    log.wrote("warning: 'operator link' does not know where this host listens: \(error.reason)")
                }
                log.ready(url, plugs.current, asJSON: json)
                await log.invite(links, at: publicURL?.origin ?? url)
                ready.ring()
                listens.ring()
                polls.ring()
                tells.ring()
                if let reason = manager?.tell(.ready(plugs: plugs.current.manifests.count)) { log.untold(reason) }
            }
        )
        typealias Member = ServiceGroupConfiguration.ServiceConfiguration
        let watchdog = Watchdog(manager, clock: context.clock).map { [Member(service: $0)] } ?? []
        // A service with nothing to do would end, and the group with it.
        let notices = targets.isEmpty ? [] : [Member(service: NoticeService(noticing, after: tells))]
        var configuration = ServiceGroupConfiguration(
            // They shut down from the last to the first.
            services: watchdog + notices + [
                .init(service: PlugReloading(work.loading, settings, plugs, store, times, log, manager)),
                .init(service: ClockWatch(times, log, clock: context.clock)),
                .init(service: Housekeeping(store, log, clock: context.clock)),
                .init(
                    service: LimitsWatch(
                        store,
                        work.means.throttling,
                        work.means.rests,
                        bell,
                        log,
                        clock: context.clock
                    )
                ),
                .init(service: KeyRotating(store, log, clock: context.clock)),
                .init(service: GrantKeeper(renewals, after: listens)),
                .init(service: DeviceConsentPolling(connecting, log, after: polls)),
                .init(service: server),
                .init(
                    service: ScheduledSyncs(scheduler, after: ready, hurry: hurry, drain: drain, clock: context.clock)
                ),
            ],
            cancellationSignals: [.sigquit],
            logger: ServeLog.quiet
        )
        // Answers that are given only once then have a little more time, and all is over within five seconds.
        configuration.maximumGracefulShutdownDuration = drain + Departure.patience
        try await Self.run(ServiceGroup(configuration: configuration), hurry, manager)
    }

    /// Runs until shutdown is requested.
    ///
    /// - Parameters:
    ///   - hurry: Signalled when shutdown is requested again.
    ///   - manager: Notified that shutdown has begun.
    private static func run(_ services: ServiceGroup, _ hurry: Bell, _ manager: ServiceManager?) async throws {
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await services.run() }
            group.addTask {
                var isEnding = false
                for await _ in signals {
                    if isEnding {
                        hurry.ring()
                    } else {
                        manager?.tell(.stopping)
                        await services.triggerGracefulShutdown()
                    }
                    isEnding = true
                }
                // A cancelled task's sequence ends, but the services continue.
                try await Task.sleep(for: .seconds(86_400 * 366))
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func directory(
        _ own: PlugDirectory,
        _ settings: HostSettings,
        _ transport: HTTPTransport
    ) -> any ApplicationDirectory {
        guard let upstream = settings.pda.directoryUpstream.value else { return own }
        return MergedDirectory(own: own, upstream: HTTPDirectory("\(upstream)", transport: transport))
    }
}
