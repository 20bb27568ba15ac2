internal import CurlTransport
internal import HostConfiguration
internal import PlugCore
internal import PlugManifest
internal import PlugStorage
internal import Syncing

/// Runs the checks in order: the first failure causes later ones.
struct Doctor: Sendable {
    let host: HostOptions
    let network: NetworkOptions
    let isOffline: Bool
    let context: CommandContext

    /// Reports each result as soon as it is known.
    ///
    /// - Throws: `CancellationError`; any other error is a result.
    func run(_ tell: (CheckResult) -> Void) async throws {
        tell(MachineChecks.build())
        tell(MachineChecks.libraries())
        let (settings, configuration) = readConfiguration()
        tell(configuration)
        guard let settings else {
            for name in [
                "plugs", "programs", "disk", "clock", "state", "key", "host", "connections", "runs", "notices", "names",
                "PDAs", "providers",
            ] {
                tell(.skipped(name, "the configuration must be right first"))
            }
            return
        }
        let (plugs, result) = loadPlugs(settings)
        tell(result)
        tell(await ProgramChecks.sandbox(plugs.map { Array($0.manifests.values) }, settings))
        try Task.checkCancellation()
        tell(MachineChecks.disk(settings.state.value))
        tell(MachineChecks.clock(now: context.clock.now()))
        let state = await StateChecks.look(settings, context)
        tell(state.state)
        tell(state.key)
        try Task.checkCancellation()
        /// Without a network, in the same order.
        func skipNetwork(_ reason: String) {
            tell(.skipped("host", reason))
            tell(state.connections)
            tell(state.runs)
            tell(state.notices)
            for name in ["names", "PDAs", "providers"] { tell(.skipped(name, reason)) }
        }
        if isOffline { return skipNetwork("--offline") }
        do {
            let listen = try? HTTPURL("http://\(settings.listen.value)")
            try await network.withTransport(pda: listen, of: settings) { transport in
                let checks = NetworkChecks(transport, clock: context.clock)
                tell(await checks.host(at: listen))
                tell(state.connections)
                tell(state.runs)
                tell(state.notices)
                try Task.checkCancellation()
                let hosts = plugs.map { NetworkChecks.hosts(of: state.plugs, in: $0) } ?? []
                tell(
                    await checks.names(
                        hosts + state.pdas.compactMap { try? HTTPURL($0).host },
                        isAnybody: !state.plugs.isEmpty
                    )
                )
                try Task.checkCancellation()
                tell(await checks.pdas(state.pdas))
                try Task.checkCancellation()
                tell(await checks.providers(hosts, isAnybody: !state.plugs.isEmpty))
            }
        } catch let error as PlugError {
            // Only creating the transport throws: no check has used it yet.
            tell(.failure("network", error.message, cure: error.advice))
            skipNetwork("the network cannot be used")
        }
    }

    private func readConfiguration() -> (HostSettings?, CheckResult) {
        let name = "configuration"
        do {
            let result = try host.read(context)
            let place = result.isThere ? result.file : "no file, so the defaults (it would be \(result.file))"
            guard let settings = result.settings else {
                return (nil, .failure(name, "\(result.file) has errors", cure: "plughost config shows each of them"))
            }
            return (settings, .ok(name, place))
        } catch { return (nil, .failure(name, error.message, cure: error.advice)) }
    }

    private func loadPlugs(_ settings: HostSettings) -> (HostPlugs.Content?, CheckResult) {
        let name = "plugs"
        // Its findings belong to 'validate'; only their number counts here.
        var quiet = context
        quiet.errors = TextSink()
        quiet.output = quiet.errors
        do {
            let plugs = try ServedPlugs.load(settings, [], in: quiet)
            let count = plugs.manifests.count.counted("plug")
            let lacking = plugs.manifests.values.flatMap(\.providers).filter { plugs.clients[$0] == nil }
            guard !lacking.isEmpty else {
                return (plugs, .ok(name, "\(count); no OAuth client is missing"))
            }
            let names = Set(lacking).sorted()
            let more = names.count > 5 ? ", and \(names.count - 5) more" : ""
            return (
                plugs,
                .warning(
                    name,
                    "\(count); nobody can connect those of \(names.prefix(5).joined(separator: ", "))\(more): they have no OAuth client",
                    cure:
                        "register a client with the service and name it under 'providers' in plughost.yaml, or serve fewer plugs"
                )
            )
        } catch {
            return (nil, .failure(name, error.message, cure: error.advice ?? "plughost validate shows what is wrong"))
        }
    }
}
