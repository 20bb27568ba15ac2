internal import ArgumentParser
internal import LosslessJSON
internal import PDAClient
internal import PlugCore

/// `plughost pda applications token`
struct PDAApplicationsTokenCommand: PDAApplicationCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Writes an application's token to a file.",
        discussion: """
            Only you can read the file. The application need not be set up, but its
            token is refused until it is. With --json: {"application", "out"}.
            """
    )

    @OptionGroup var application: PDAApplicationOptions

    @Option(help: ArgumentHelp("Where the token goes; - is stdout.", valueName: "file"))
    var out: String

    func run(in context: CommandContext) async throws -> ExitStatus {
        let token = try await access.withClient(in: context) { client throws(PDAError) in
            try await client.applicationToken(application.id)
        }
        guard try Files.deliver(token, to: out, in: context) else { return .done }
        let id = application.id
        answers(in: context).one(
            .members(("application", .text(id)), ("out", .text(out))),
            text: "the token of '\(DisplayText.escaped(id))' is in \(DisplayText.escaped(out))\n"
        )
        return .done
    }
}
