internal import ArgumentParser
internal import PDAClient
internal import PlugCore

/// `plughost pda debits url`
struct PDADebitsURLCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "url",
        abstract: "Prints the web address where the owner can agree to a data debit.",
        discussion: "Nothing is sent, and no token is needed."
    )

    @Argument(help: ArgumentHelp("The data debit's key.", valueName: "key"))
    var key: String

    @Option(help: ArgumentHelp("The PDA, such as https://you.example.", valueName: "url"))
    var pda: String

    @Option(help: ArgumentHelp("Where the browser goes after the owner agrees.", valueName: "url"))
    var redirect: String

    @Option(help: ArgumentHelp("Where the browser goes after the owner declines.", valueName: "url"))
    var fallback: String?

    func run(in context: CommandContext) async throws -> ExitStatus {
        let address = try PDAOptions.address(of: pda)
        let client = PDA(address.origin, tokens: InMemoryTokens(), transport: NoTransport())
        let url = try await PDAErrorText.translating { () throws(PDAError) in
            try client.approvalURL(of: key, redirect: redirect, fallback: fallback)
        }
        context.output.write(url + "\n")
        return .done
    }
}
