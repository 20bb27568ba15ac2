internal import ArgumentParser
internal import Logging
internal import LosslessJSON
internal import PDASandbox
internal import PlugCore

/// `plughost sandbox run`, the default of `plughost sandbox`.
struct SandboxRunCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs the sandbox until Ctrl-C; the word 'run' is optional.",
        usage: "plughost sandbox [run] [<options>]",
        discussion: """
            With --json it prints one line when it is ready:
            {"url", "owner", "password_file"}.
            """
    )

    @Option(help: ArgumentHelp("Where to listen; port 0 takes any free port.", valueName: "host:port"))
    var listen = "127.0.0.1:8899"

    @Option(help: ArgumentHelp("Where it keeps its data (default: ~/.local/state/plughost/sandbox).", valueName: "dir"))
    var state: String?

    @Option(help: ArgumentHelp("The owner's name at log-in.", valueName: "name"))
    var owner = "owner"

    @Option(
        help: ArgumentHelp(
            "The file with the owner's password (default: generated, in the state folder).",
            valueName: "file"
        )
    )
    var passwordFile: String?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Plugs that can be set up, or folders of plugs.", valueName: "path")
    )
    var plugs: [String] = []

    @Option(
        help: ArgumentHelp(
            "A directory whose applications it also lists; those of --plugs take precedence.",
            valueName: "url"
        )
    )
    var directoryUpstream: String?

    @Option(help: ArgumentHelp("The port of its own directory, on 127.0.0.1; 0 for a free one.", valueName: "port"))
    var directoryPort: UInt16 = 0

    @Option(help: ArgumentHelp("The only Host header that it accepts (default: any).", valueName: "name[:port]"))
    var domain: String?

    @Option(help: ArgumentHelp("The owner's e-mail address; nothing is sent to it.", valueName: "address"))
    var email: String?

    @Flag(help: "Allow an address that other machines can reach, without TLS.")
    var insecureListen = false

    @Flag(help: "Print one line of JSON when it is ready.")
    var json = false

    var takesInterruptions: Bool { true }
    var endsByInterruption: Bool { true }
    func run(in context: CommandContext) async throws -> ExitStatus {
        var applications: [JSONValue] = []
        for path in Manifests.files(plugs) {
            let manifest = try Manifests.load(path, in: context)
            applications.append(try Applications.definition(of: manifest, .complete, in: context))
        }
        let home = try SandboxHome(state, context.environment)
        let (password, file) = try home.password(passwordFile)
        var options = try SandboxOptions(
            listen: listen,
            stateFolder: home.folder,
            owner: owner,
            password: password
        )
        options.domain = domain
        options.applications = applications
        options.allowsInsecureListen = insecureListen
        options.logger = Logger(label: "sandbox") { StreamLogHandler.standardError(label: $0) }
        if let email { options.email = email }
        let prepared = options
        let directory = try await SandboxDirectory(
            folder: home.folder,
            upstream: directoryUpstream,
            port: Int(directoryPort)
        )
        try await directory.serve { directoryAddress, directory in
            var options = prepared
            options.directory = directory
            let sandbox = try await SandboxPDA(options)
            try await sandbox.run { tell($0, directoryAddress, file, home, context) }
        }
        context.errors.write("the sandbox has ended; its data stays in \(DisplayText.escaped(home.folder))\n")
        return .done
    }

    private func tell(
        _ address: SandboxAddress,
        _ directory: String,
        _ passwordFile: String,
        _ home: SandboxHome,
        _ context: CommandContext
    ) {
        answers(in: context).one(
            .members(
                ("url", .text(address.url)),
                ("owner", .text(owner)),
                ("password_file", .text(passwordFile))
            ),
            text: """
                A PDA is ready at \(address.url)

                  look at it    \(address.page.reveal())
                  (the address works once, in one browser)
                  owner         \(DisplayText.escaped(owner)), password in \(DisplayText.escaped(passwordFile))
                  directory     \(directory)/api/v3/applications
                  data          \(DisplayText.escaped(home.folder))
                  write to it   plughost sandbox token PLUG --out token\(stateOption)
                                plughost run PLUG --pda \(address.url) --token-file token

                Ctrl-C ends it.

                """
        )
    }

    private var stateOption: String { state.map { " --state \(DisplayText.escaped($0))" } ?? "" }
}
