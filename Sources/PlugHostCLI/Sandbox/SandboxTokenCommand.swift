internal import ArgumentParser
internal import PDASandbox
internal import PlugCore

/// `plughost sandbox token`
struct SandboxTokenCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Sets a plug up in the sandbox and writes its application token.",
        usage: "plughost sandbox token [<options>] <plug>",
        discussion: """
            Uses the sandbox's folder, whether the sandbox is running or not. Without
            --state it is the folder of 'plughost sandbox', which must have run once; a
            folder that --state names is made if it is missing. The token
            only allows writing to the plug's own namespace. It is valid for three days,
            and each run renews it.

            Examples:
              plughost sandbox token plug.yaml --out token
              plughost sandbox token wikipedia --out token
            """
    )

    @Argument(help: "A manifest, a folder with a plug.yaml, or the id of an application in the sandbox.")
    var plug: String

    @Option(help: ArgumentHelp("The sandbox's folder (default: ~/.local/state/plughost/sandbox).", valueName: "dir"))
    var state: String?

    @Option(
        help: ArgumentHelp("Where the token goes, a file that only you can read; - is stdout.", valueName: "file")
    )
    var out = "-"

    @Option(
        help: ArgumentHelp(
            "The address that the token is for (default: where the sandbox last listened).",
            valueName: "host:port"
        )
    )
    var issuer: String?

    func run(in context: CommandContext) async throws -> ExitStatus {
        let home = try SandboxHome(state, context.environment)
        // If the folder was not named, creating one here would make a sandbox that no one intended.
        guard state != nil || SandboxStore.exists(in: home.folder) else {
            throw PlugError(
                .sandboxMissing,
                "there is no sandbox in \(DisplayText.escaped(home.folder))",
                advice: "start it with 'plughost sandbox', or name another's folder with --state"
            )
        }
        let store = try await SandboxStore.open(stateFolder: home.folder)
        var id = plug
        if plug.contains("/") || Files.exists(plug) {
            let manifest = try Manifests.load(plug, in: context)
            id = try await store.register(try Applications.definition(of: manifest, .decodable, in: context))
        }
        try await store.setUp(application: id)
        let token = try await store.token(application: id, issuer: issuer)
        guard try Files.deliver(token, to: out, in: context) else { return .done }
        let folder = DisplayText.escaped(home.folder)
        let file = DisplayText.escaped(out)
        context.errors.write(
            "'\(id)' is set up in the sandbox of \(folder); its application token is in \(file)\n"
        )
        return .done
    }
}
