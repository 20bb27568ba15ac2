internal import Connecting
internal import CurlTransport
internal import OAuth
internal import PlugCore
internal import PlugFetch
internal import PlugManifest
internal import PlugRuntime
internal import PlugStorage
internal import Throttling

/// What all paths of one `plughost run` share: the PDA, the token, the answers, the transport and the state.
struct RunWorld {
    /// The PDA's origin, empty in a dry run that names none, and with `--connections`.
    let origin: String
    let token: Secret
    let answers: ConfigAnswers
    /// The OAuth clients of this host, by provider.
    let clients: [String: ClientIdentity]
    let limits: RunLimits
    /// The resources for plugs' programs; `nil` if no plug has one.
    let programs: ProgramPolicy?
    /// Sends requests to where `--source` says, and reports them for `--trace`.
    let transport: any HTTPSending
    private let network: HTTPTransport
    /// Keeps all paths together within the limits of others' servers.
    let throttling: RequestThrottling
    /// The memory shared by all their pages.
    let room: PageRoom
    let answerRoom = AnswerRoom()
    /// `nil` in a dry run, which stores nothing.
    let store: SQLiteStore?
    /// The part of the state that a dry run needs: a consent, and a place for a refresh token that may replace it.
    let grants: SQLiteStore?

    /// Checks the command line as a whole, then opens what it names, the state last.
    ///
    /// - Parameter trace: Reports all requests; `nil` to report none.
    init(
        _ command: RunCommand,
        manifests: [Manifest],
        trace: RequestTrace?,
        in context: CommandContext
    ) async throws(PlugError) {
        if command.named.connection != nil, command.paths.count > 1 {
            throw PlugError(
                .connectionAmbiguous,
                "--connection names one connection, but there are \(command.paths.count) paths",
                advice: "run them one at a time"
            )
        }
        if let name = command.named.connection { try Self.check(name) }
        limits = try command.limits.limits()
        let address = command.dryRun && command.pda.pda == nil ? nil : try command.pda.address()
        origin = address?.origin ?? ""
        answers = try command.config.answers(context)
        // An invalid manifest may be the one that asks for a key.
        if manifests.count == command.paths.count { try answers.checkNames(manifests) }
        // Only selected streams need a client; config missing for them is reported when it is needed.
        let chosen = manifests.map { [answers] manifest in
            (try? answers.values(for: manifest)).flatMap { try? manifest.choosing($0) } ?? manifest
        }
        clients = try command.clients.clients(of: chosen, in: command.state, context)
        let routes = try command.source.routes(of: manifests.count == command.paths.count ? manifests : [])
        network = try command.network.transport(pda: address, routes: routes)
        var programs = try command.programs.means(
            for: manifests,
            in: command.state,
            network.policy,
            hiding: command.privateFiles,
            context
        )
        token = command.dryRun ? Secret("") : try command.pda.token()
        transport = Self.transport(network, routes, trace, hiding: token)
        let needsVault = manifests.contains { $0.authorization.needsVault }
        let state = !command.dryRun || needsVault ? try await command.state.openToWrite(context) : nil
        (store, grants) = command.dryRun ? (nil, state) : (state, nil)
        if let key = state?.keyFile { programs?.hidden.append(key) }
        self.programs = programs
        throttling = RequestThrottling(notes: store, transport: transport, clock: context.clock)
        room = PageRoom(total: command.limits.memory)
    }

    /// Checks the command line of `--connections` as a whole, then opens what it names, the state last.
    init(
        _ command: RunCommand,
        for manifest: Manifest,
        hiding tokens: (files: [String], folders: [String]),
        in context: CommandContext
    ) async throws(PlugError) {
        limits = try command.limits.limits()
        (origin, token) = ("", Secret(""))
        answers = try command.config.answers(context)
        try answers.checkNames([manifest])
        clients = try command.clients.clients(of: [manifest], in: command.state, context)
        // A file may contain what people entered: only the command line opens this machine to it.
        let routes = try command.source.routes(of: [manifest])
        network = try command.network.transport(pda: nil, routes: routes)
        var programs = try command.programs.means(
            for: [manifest],
            in: command.state,
            network.policy,
            hiding: command.privateFiles + tokens.files,
            context
        )
        programs?.guarded = tokens.folders
        transport = Self.transport(network, routes, nil, hiding: token)
        let store = try await command.state.openToWrite(context)
        if let key = store.keyFile { programs?.hidden.append(key) }
        (self.programs, self.store, grants) = (programs, store, nil)
        throttling = RequestThrottling(notes: store, transport: transport, clock: context.clock)
        room = PageRoom(total: command.limits.memory)
    }

    /// Sends by routes and reports it. The trace is outermost: it shows what the plug asks, wherever it is sent.
    static func transport(
        _ network: HTTPTransport,
        _ routes: [SourceRoute],
        _ trace: RequestTrace?,
        hiding token: Secret
    ) -> any HTTPSending {
        let sender: any HTTPSending = routes.isEmpty ? network : RedirectingTransport(network, routes: routes)
        guard let trace else { return sender }
        trace.hide(token)
        return TracingTransport(sender, trace)
    }

    func close() async {
        await throttling.settle()
        await store?.close()
        await grants?.close()
        await network.shutDown()
    }

    static func check(_ connection: String) throws(PlugError) {
        if isConnectionName(connection) { return }
        throw PlugError(.badConnection, notAName(connection), advice: nameAdvice)
    }

    static func isConnectionName(_ text: String) -> Bool { ConnectionDraft.isName(text) }

    static func notAName(_ text: String) -> String {
        "'\(DisplayText.escaped(text))' is not a valid name for a connection"
    }

    static let nameAdvice = "use 1 to 100 bytes without spaces, control characters or '/'"
}
