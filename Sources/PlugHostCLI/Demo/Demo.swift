internal import CurlTransport
internal import LosslessJSON
internal import PDAClient
internal import PDASandbox
internal import PlugCore
internal import PlugManifest
internal import PlugRuntime
internal import PlugStorage

/// The demonstration, alongside a running sandbox.
struct Demo {
    let plug: DemoPlug
    let address: SandboxAddress
    let password: Secret
    let talk: DemoTalk
    let clock: any HostClock

    func run(
        _ answers: ConfigAnswers,
        _ network: NetworkOptions,
        isOffline: Bool,
        state: String
    ) async throws {
        talk.title(plug)
        talk.ready(address)
        let url = try HTTPURL(address.url)
        try await network.withTransport(pda: url) { direct in
            let owner = try await DemoOwner(name: DemoCommand.owner, password: password, at: url.origin, over: direct)
            let (token, before) = try await setUp(owner)
            let source = try await DemoSource(
                plug,
                answers: answers,
                network: network,
                pda: url,
                isOffline: isOffline,
                clock: clock
            )
            try await lend(source, closing: { await $0.shutDown() }) { source in
                talk.source(source, plug)
                try await deliver(from: source, with: token, to: url.origin, state, owner)
                try await showState(owner, before: before)
            }
        }
    }

    /// What an owner does once: consent, and get the application's token.
    private func setUp(_ owner: DemoOwner) async throws -> (token: Secret, before: ApplicationState) {
        let id = plug.manifest.id
        let before = try await owner.state(of: id)
        try await owner.setUp(id)
        talk.setUp(plug, from: before, to: try await owner.state(of: id))
        return (try await owner.token(of: id), before)
    }

    private func deliver(
        from source: DemoSource,
        with token: Secret,
        to origin: String,
        _ state: String,
        _ owner: DemoOwner
    ) async throws {
        let store = try await SQLiteStore.open(folder: state, access: .write(wait: .zero), clock: clock)
        try await lend(store, closing: { await $0.close() }) { store in
            let request = RunRequest(manifest: plug.manifest, pda: origin, token: token, config: source.config)
            try await run(request, source, store, isFirst: true)
            try await showArrived(owner)
            try await run(request, source, store, isFirst: false)
        }
    }

    private func run(
        _ request: RunRequest,
        _ source: DemoSource,
        _ store: SQLiteStore,
        isFirst: Bool
    ) async throws {
        let report = await PlugRun(
            request,
            store: store,
            transport: source.transport,
            clock: clock,
            fetcher: try source.fetcher(plug.manifest)
        ).run()
        talk.ran(report, isFirst: isFirst)
        if let error = report.error { throw error }
    }

    /// The PDA's records, as the PDA returns them.
    private func showArrived(_ owner: DemoOwner) async throws {
        var arrived: [(path: DataPath, count: Int, first: [JSONValue])] = []
        for path in plug.manifest.streams.compactMap(\.path) {
            let (count, first) = try await owner.records(at: path, showing: 3)
            arrived.append((path, count, first))
        }
        talk.arrived(arrived, of: plug)
    }

    private func showState(_ owner: DemoOwner, before: ApplicationState) async throws {
        talk.stands(plug, before, try await owner.state(of: plug.manifest.id))
    }
}
