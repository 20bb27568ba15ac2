internal import CurlTransport
internal import LosslessJSON
internal import OAuth
internal import PlugCore
internal import PlugFetch
internal import PlugManifest
internal import PlugRuntime
internal import PlugStorage
internal import Throttling

/// One plug with one person's answers, and the transport that it is read over.
struct LivePlug {
    let manifest: Manifest
    /// The answers, with defaults filled in, including secrets.
    let config: JSONObject
    /// The answers that were given explicitly.
    let answered: Set<String>
    let clients: [String: ClientIdentity]
    /// The resources for its program; `nil` if it has none.
    let programs: ProgramPolicy?
    let connection: String?
    /// The store of consents; `nil` if none was named.
    let grants: SQLiteStore?
    /// A token to use instead of a consent's; `nil` if there is none.
    let accessToken: Secret?
    let sender: any HTTPSending
    let clock: any HostClock
    /// What to shut down at the end; `nil` if the caller does that.
    private let network: HTTPTransport?

    /// Reads the plug and the answers, and opens what is needed to read the source.
    ///
    /// - Parameters:
    ///   - pda: A PDA that may be on this machine; `nil` for none.
    ///   - trace: Reports all requests; `nil` to report none.
    init(
        _ options: LiveOptions,
        pda: HTTPURL? = nil,
        trace: RequestTrace?,
        in context: CommandContext
    ) async throws(PlugError) {
        manifest = try Manifests.load(options.path, in: context)
        manifest.warnOfStatus(context)
        if let name = options.named.connection { try RunWorld.check(name) }
        let answers = try options.config.answers(context)
        try answers.checkNames([manifest])
        config = try answers.values(for: manifest)
        answered = answers.names(for: manifest)
        let chosen = (try? manifest.choosing(config)) ?? manifest
        clients = try options.clients.clients(of: [chosen], in: options.state, context)
        connection = options.named.connection
        accessToken = nil
        let routes = try options.source.routes(of: [manifest])
        let network = try options.network.transport(pda: pda, routes: routes)
        self.network = network
        programs = try options.programs.means(
            for: [manifest],
            in: options.state,
            network.policy,
            hiding: options.config.files + options.clients.files,
            context
        )
        sender = RunWorld.transport(network, routes, trace, hiding: Secret(""))
        clock = context.clock
        let needsVault = connection != nil && manifest.authorization.needsVault
        grants = needsVault ? try await options.state.openToWrite(context) : nil
    }

    /// A plug that is read over what the caller has opened.
    init(
        _ manifest: Manifest,
        config: JSONObject,
        accessToken: Secret?,
        over sender: any HTTPSending,
        clock: any HostClock
    ) {
        (self.manifest, self.config, self.sender, self.clock) = (manifest, config, sender, clock)
        self.accessToken = accessToken
        (answered, clients, connection, grants, network) = ([], [:], nil, nil, nil)
        programs = nil
    }

    /// A dry run of it.
    func request(_ streams: [String]) -> RunRequest {
        var request = RunRequest(manifest: manifest, pda: "", token: nil, config: config)
        request.answered = answered
        request.connection = connection
        request.clients = clients
        request.programs = programs
        request.streams = streams.isEmpty ? nil : streams
        request.isDryRun = true
        return request
    }

    /// What a person without answers or a consent must do about an error.
    func advice(_ error: PlugError) -> String? {
        if error.code == .open(.templateUndefined) { return ConfigAnswers.advice(manifest, lacking: config) }
        if connection == nil, manifest.authorization.needsVault, error.exit == .authorisation {
            return "name the connection that has the consent with --connection NAME; 'plughost connect' makes one"
        }
        return nil
    }

    func close() async {
        await grants?.close()
        await network?.shutDown()
    }
}
