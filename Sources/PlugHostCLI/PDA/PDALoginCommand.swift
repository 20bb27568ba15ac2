internal import ArgumentParser
internal import CurlTransport
internal import LosslessJSON
internal import PDAClient
internal import PDAWire
internal import PlugCore

/// `plughost pda login`
struct PDALoginCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Logs the owner in and writes the token to a file.",
        discussion: """
            The password comes from --password-file or PLUGHOST_PDA_PASSWORD, never from
            the command line. Only you can read the token's file. The token is valid for
            30 days, and for 3 days without use. With --json: {"pda", "user", "expires",
            "out"}.
            """
    )

    @Option(help: ArgumentHelp("The PDA, such as https://you.example.", valueName: "url"))
    var pda: String

    @Option(help: ArgumentHelp("The owner's name, usually the PDA's name.", valueName: "name"))
    var user: String

    @Option(
        help: ArgumentHelp("The file with the password (else: PLUGHOST_PDA_PASSWORD); - is stdin.", valueName: "file")
    )
    var passwordFile: String?

    @Option(help: ArgumentHelp("Where the token goes; - is stdout.", valueName: "file"))
    var out: String

    @OptionGroup var network: NetworkOptions

    @Flag(help: "Print one JSON object.")
    var json = false

    var takesInterruptions: Bool { true }
    func run(in context: CommandContext) async throws -> ExitStatus {
        let address = try PDAOptions.address(of: pda)
        let password = try password(context)
        let token = try await network.withTransport(pda: address) { transport in
            let client = PDA(address.origin, tokens: InMemoryTokens(), transport: transport)
            return try await PDAErrorText.translating { () throws(PDAError) in
                try await client.logIn(username: user, password: password).token
            }
        }
        if try Files.deliver(token, to: out, in: context) { tell(token, address, context) }
        return .done
    }

    private func password(_ context: CommandContext) throws(PlugError) -> Secret {
        let text: String
        if let passwordFile {
            text = try Files.secret(passwordFile, failing: .authorisation)
        } else {
            text = context.environment["PLUGHOST_PDA_PASSWORD"] ?? ""
        }
        guard !text.isEmpty else {
            throw PlugError(
                .pdaPasswordMissing,
                "there is no password",
                advice: "name a file that holds it with --password-file, or set PLUGHOST_PDA_PASSWORD"
            )
        }
        return Secret(text)
    }

    private func tell(_ token: Secret, _ address: HTTPURL, _ context: CommandContext) {
        let end = TokenClaims(token: token.reveal())?.expires.map { Timestamp(seconds: $0).rfc3339 }
        let until = end.map { ", valid until \($0)" } ?? ""
        answers(in: context).one(
            .members(
                ("pda", .text(address.origin)),
                ("user", .text(user)),
                ("expires", end.map { .text($0) } ?? .null),
                ("out", .text(out))
            ),
            text: "logged in at \(DisplayText.escaped(address.origin)) as \(DisplayText.escaped(user)); "
                + "the token is in \(DisplayText.escaped(out))\(until)\n"
        )
    }
}
