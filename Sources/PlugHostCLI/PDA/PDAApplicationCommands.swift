internal import ArgumentParser
internal import LosslessJSON
internal import PDAClient
internal import PlugCore

/// An application's id, and the way to its PDA.
struct PDAApplicationOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The application's id.", valueName: "id"))
    var id: String

    @OptionGroup var access: PDAAccess

    @Flag(help: "Print one line of JSON.")
    var json = false
}

/// A call about one application.
protocol PDAApplicationCommand: PDAObjectCommand {
    var application: PDAApplicationOptions { get }
}

extension PDAApplicationCommand {
    var access: PDAAccess { application.access }
    var json: Bool { application.json }
}

/// `plughost pda applications list`
struct PDAApplicationsListCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists applications and plugs with their states.",
        discussion: """
            Prints a table on a terminal; otherwise, and with --json, one line of JSON
            each. The state is connected, fetching, needsUpdating, failing or
            notConnected.
            """
    )

    @OptionGroup var access: PDAAccess

    @Flag(help: "Print one line of JSON each.")
    var json = false

    var takesInterruptions: Bool { true }
    var speaksJSON: Bool { json }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let applications = try await access.withClient(in: context) { client throws(PDAError) in
            try await client.applications()
        }
        return PDAAnswer(context: context, isJSON: json)
            .list(applications, ["id", "kind", "state", "name"], limits: [30, 10, 14, 40]) { object in
                [
                    object.application.id, object.application.kind.kind.rawValue, object.state.rawValue,
                    object.application.info.name,
                ]
            }
    }
}

/// `plughost pda applications show`
struct PDAApplicationsShowCommand: PDAApplicationCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Prints one application with its state.",
        discussion: "A PDA keeps the status for ten minutes; --fresh makes it check again."
    )

    @OptionGroup var application: PDAApplicationOptions

    @Flag(help: "Check the status again.")
    var fresh = false

    func call(_ client: PDA) async throws(PDAError) -> JSONValue {
        try await client.application(application.id, cached: !fresh).json
    }
}

/// `plughost pda applications setup`
struct PDAApplicationsSetUpCommand: PDAApplicationCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Sets up an application, or sets it up again after an update.",
        discussion: """
            If the application receives data, this also agrees to its data debit. Prints
            the application afterwards.
            """
    )

    @OptionGroup var application: PDAApplicationOptions

    func call(_ client: PDA) async throws(PDAError) -> JSONValue {
        try await client.setUp(application: application.id).json
    }
}

/// `plughost pda applications disable`
struct PDAApplicationsDisableCommand: PDAApplicationCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Disables an application: its token is refused from now on.",
        discussion: "Its data debit ends too. Prints the application afterwards."
    )

    @OptionGroup var application: PDAApplicationOptions

    func call(_ client: PDA) async throws(PDAError) -> JSONValue {
        try await client.disable(application: application.id).json
    }
}

/// `plughost pda applications token`
struct PDAApplicationsTokenCommand: HostCommand {
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

    var takesInterruptions: Bool { true }
    var speaksJSON: Bool { application.json }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let token = try await application.access.withClient(in: context) { client throws(PDAError) in
            try await client.applicationToken(application.id)
        }
        if out == "-" {
            context.output.write(token.reveal() + "\n")
            return .done
        }
        try Files.writePrivately(token.reveal() + "\n", to: out)
        let id = application.id
        PDAAnswer(context: context, isJSON: application.json).done(
            "the token of '\(DisplayText.escaped(id))' is in \(DisplayText.escaped(out))",
            [("application", .text(id)), ("out", .text(out))]
        )
        return .done
    }
}
