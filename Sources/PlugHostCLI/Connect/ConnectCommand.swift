internal import ArgumentParser
internal import Connecting
internal import CurlTransport
internal import LosslessJSON
internal import OAuth
internal import PlugCore
internal import PlugManifest
internal import PlugStorage
internal import Throttling

/// `plughost connect`
struct ConnectCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "connect",
        abstract: "Connects a person's account: asks for their consent, and checks whose account it is.",
        usage: "plughost connect <path> [<options>]",
        discussion: """
            For a plug with 'auth.oauth2', or a consent of 'auth.oauth1', it opens the
            person's browser (or prints the address), waits for it to come back to a port
            of this machine, and keeps the tokens, encrypted, for the runs of this
            connection. For a plug with a device code it shows the code. For other plugs
            it checks the configured credentials.

            Runs find the connection by --connection, or by the same --pda and --config.
            The OAuth client comes from --client-id, PLUGHOST_CLIENT_PROVIDER_ID (and
            _SECRET or _SECRET_FILE), or providers.yaml in the state folder.

            Examples:
              plughost connect plug.yaml --pda https://you.example --connection ada
              plughost connect plug.yaml --connection ada            connects it again
              plughost connect plug.yaml --connection ada --paste    browser elsewhere
              plughost connect plug.yaml --connection mock --pda https://you.example
                  --source https://api.x.org=http://127.0.0.1:8000   with a mock
            """
    )

    @Argument(help: ArgumentHelp("A manifest, or a folder with a plug.yaml.", valueName: "path"))
    var path: String

    @OptionGroup var named: ConnectionOption

    @Option(help: ArgumentHelp("The person's PDA; needed for a new connection.", valueName: "url"))
    var pda: String?

    @OptionGroup var config: ConfigOptions
    @OptionGroup var clients: ClientOptions

    @Option(help: ArgumentHelp("The port the browser comes back to (default: a free one).", valueName: "number"))
    var port: Int?

    @Flag(help: "Read the address that the browser came back to from stdin.")
    var paste = false

    @Flag(help: "Do not open a browser; print the address only.")
    var noBrowser = false

    @OptionGroup var state: PlugStateOptions
    @OptionGroup var network: NetworkOptions
    @OptionGroup var source: SourceOptions

    @Flag(help: "Print one JSON object: connection, plug, who, scopes, not_granted, expires, refreshes.")
    var json = false

    var takesInterruptions: Bool { true }

    func validate() throws {
        guard port.map({ (1...65_535).contains($0) }) ?? true else {
            throw ValidationError("--port is a number from 1 to 65535")
        }
    }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let manifest = try Manifests.load(path, in: context)
        manifest.warnOfStatus(context)
        let answers = try config.answers(context)
        try answers.checkNames([manifest])
        let values = try answers.values(for: manifest)
        let chosen = try manifest.choosing(values)
        let clients = try clients.clients(of: [chosen], in: state, context)
        let routes = try source.routes(of: [manifest])
        let account = try await state.withStoreToWrite(context) { store in
            let connection = try await ConnectTarget(self, manifest, answers, values).connection(in: store)
            return try await network.withTransport(pda: nil, routes: routes) { transport in
                let sender = RunWorld.transport(transport, routes, nil, hiding: Secret(""))
                let throttling = RequestThrottling(notes: store, transport: sender, clock: context.clock)
                return try await lend(throttling, closing: { await $0.settle() }) { throttling in
                    let session = ConnectSession(
                        manifest: chosen,
                        config: values,
                        clients: clients,
                        connection: connection,
                        store: store,
                        throttling: throttling,
                        place: { url throws(HTTPError) in
                            let place = try routes.place(of: url)
                            try transport.check(place, side: .source)
                            return place
                        },
                        way: paste ? .pasting(port: port) : .listening(port: port ?? 0, opensBrowser: !noBrowser),
                        context: context
                    )
                    let account = try await session.connect()
                    // A host that was waiting for this runs the connection again.
                    let now = context.clock.now()
                    try await SourceAccount.resume(connection.id, in: store, by: "shell", at: now)
                    return account
                }
            }
        }
        AnswerPrinter(context: context, isJSON: json).one(account.json, text: account.text)
        return .done
    }
}
