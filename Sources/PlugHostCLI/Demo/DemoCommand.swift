internal import ArgumentParser
internal import CurlTransport
internal import Logging
internal import PDASandbox
internal import PlugCore
internal import PlugManifest
internal import PlugRuntime
internal import PlugStorage

/// `plughost demo`
struct DemoCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Shows plughost at work on this machine: a plug delivers records to a PDA.",
        usage: "plughost demo [<options>]",
        discussion: """
            Starts a sandbox PDA, sets up a plug in it as an application, delivers with
            the token that the PDA issues, and shows what arrived. The demo reads the
            live service if it answers within five seconds, otherwise recorded answers;
            it says which. On a terminal the PDA then runs until Ctrl-C.

            Examples:
              plughost demo
              plughost demo --offline --plug Plugs/mastodon
              plughost demo --config user='Your name'         your own edits in Wikipedia
            """
    )

    @Option(help: ArgumentHelp("A manifest, or a folder with a plug.yaml (default: wikipedia).", valueName: "path"))
    var plug: String?

    @Flag(help: "Do not contact the service: use recorded answers.")
    var offline = false

    @OptionGroup var config: ConfigOptions

    @Option(help: ArgumentHelp("Where to keep all data (default: a temporary folder).", valueName: "dir"))
    var state: String?

    @Flag(help: "Keep the PDA running until Ctrl-C, even without a terminal.")
    var stay = false

    @OptionGroup var network: NetworkOptions

    var takesInterruptions: Bool { true }
    /// The signal means that someone has seen enough of the page.
    var endsByInterruption: Bool { true }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let plug = try DemoPlug(plug, in: context)
        let answers = try config.answers(context)
        try answers.checkNames([plug.manifest])
        let folder = try DemoFolder(state, context.environment)
        do {
            let stayed = try await run(plug, answers, folder.path, context)
            if stayed { folder.remove() }
        } catch {
            folder.remove()
            throw error
        }
        return .done
    }

    /// Runs the sandbox, and the demonstration beside it.
    ///
    /// - Returns: Whether the page was available until Ctrl-C.
    private func run(
        _ plug: DemoPlug,
        _ answers: ConfigAnswers,
        _ folder: String,
        _ context: CommandContext
    ) async throws -> Bool {
        let home = SandboxHome(folder: "\(folder)/sandbox")
        let (password, _) = try home.password(nil)
        var options = try SandboxOptions(stateFolder: home.folder, owner: Self.owner, password: password)
        options.applications = [try Applications.definition(of: plug.manifest, .decodable, in: context)]
        options.logger = Logger(label: "demo") { _ in SwiftLogNoOpLogHandler() }
        let sandbox = try await SandboxPDA(options)
        let (addresses, told) = AsyncStream.makeStream(of: SandboxAddress.self)
        let stays = stay || context.outputIsTerminal
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { told.finish() }
                try await sandbox.run { told.yield($0) }
            }
            for await address in addresses {
                let demo = Demo(
                    plug: plug,
                    address: address,
                    password: password,
                    talk: DemoTalk(context: context),
                    clock: context.clock
                )
                try await demo.run(answers, network, isOffline: offline, state: "\(folder)/state")
                demo.talk.look(at: address.page)
                if stays { demo.talk.stays() } else { demo.talk.ends(home.folder) }
                break
            }
            // Without an address the sandbox has failed, and the group throws its error.
            if !stays { group.cancelAll() }
            try await group.waitForAll()
            return stays
        }
    }

    /// The owner's name for logging in.
    static let owner = "owner"
}
