internal import ArgumentParser
internal import LosslessJSON
internal import PDAClient
internal import PlugCore

/// A data debit's key, and the way to its PDA.
struct PDADebitOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The data debit's key.", valueName: "key"))
    var key: String

    @OptionGroup var access: PDAAccess

    @Flag(help: "Print one line of JSON.")
    var json = false
}

/// A call about one data debit.
protocol PDADebitCommand: PDAObjectCommand {
    var debit: PDADebitOptions { get }
}

extension PDADebitCommand {
    var access: PDAAccess { debit.access }
    var json: Bool { debit.json }
}

/// `plughost pda debits list`
struct PDADebitsListCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the data debits.",
        discussion: "A table on a terminal; otherwise, and with --json, a line of JSON for each."
    )

    @OptionGroup var access: PDAAccess

    @Flag(help: "Print a line of JSON for each.")
    var json = false

    var takesInterruptions: Bool { true }
    var speaksJSON: Bool { json }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let debits = try await access.withClient(in: context) { client throws(PDAError) in
            try await client.dataDebits()
        }
        return PDAAnswer(context: context, isJSON: json)
            .list(debits, ["key", "state", "client", "bundle"], limits: [40, 12, 30, 40]) { debit in
                let state = debit.isActive ? "active" : debit.isAccepted ? "accepted" : "proposed"
                return [
                    debit.dataDebitKey, state, debit.requestClientName, debit.permissionsLatest.bundle.name,
                ]
            }
    }
}

/// `plughost pda debits show`
struct PDADebitsShowCommand: PDADebitCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Prints one data debit.",
        discussion: "Laid out on a terminal; one line of JSON otherwise, and with --json."
    )

    @OptionGroup var debit: PDADebitOptions

    func call(_ client: PDAClient) async throws(PDAError) -> JSONValue {
        try await client.dataDebit(debit.key).json
    }
}

/// `plughost pda debits create`
struct PDADebitsCreateCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Proposes a data debit; its owner agrees, or does not.",
        discussion: """
            The file holds the proposal in the PDA's own form (purpose, start, period in
            milliseconds, bundle, …); - is stdin. What a PDA would take and not do, such
            as 'find' without 'searchable', is refused before anything is sent. 'url'
            prints where the owner agrees.
            """
    )

    @OptionGroup var debit: PDADebitOptions

    @Argument(help: ArgumentHelp("A file with JSON.", valueName: "file"))
    var file = "-"

    var takesInterruptions: Bool { true }
    var speaksJSON: Bool { debit.json }

    func run(in context: CommandContext) async throws -> ExitStatus {
        try await Proposal.send(file, debit, in: context) { client, proposal throws(PDAError) in
            try await client.createDataDebit(proposal)
        }
    }
}

/// `plughost pda debits update`
struct PDADebitsUpdateCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Proposes something new; what was agreed stays until the owner agrees.",
        discussion: """
            The file is as for 'create'. A changed bundle needs a new name: a PDA keeps
            one that it knows as it was.
            """
    )

    @OptionGroup var debit: PDADebitOptions

    @Argument(help: ArgumentHelp("A file with JSON.", valueName: "file"))
    var file = "-"

    var takesInterruptions: Bool { true }
    var speaksJSON: Bool { debit.json }

    func run(in context: CommandContext) async throws -> ExitStatus {
        try await Proposal.send(file, debit, in: context) { client, proposal throws(PDAError) in
            try await client.updateDataDebit(proposal)
        }
    }
}

/// `plughost pda debits enable`
struct PDADebitsEnableCommand: PDADebitCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable",
        abstract: "Agrees, as the owner, to what was proposed last.",
        discussion: "Prints the data debit as it is then."
    )

    @OptionGroup var debit: PDADebitOptions

    func call(_ client: PDAClient) async throws(PDAError) -> JSONValue {
        try await client.enableDataDebit(debit.key).json
    }
}

/// `plughost pda debits disable`
struct PDADebitsDisableCommand: PDADebitCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Ends the agreement, as the owner: now, or with the current period.",
        discussion: "Prints the data debit as it is then."
    )

    @OptionGroup var debit: PDADebitOptions

    @Flag(help: "Let data flow until the current period ends.")
    var atPeriodEnd = false

    func call(_ client: PDAClient) async throws(PDAError) -> JSONValue {
        try await client.disableDataDebit(debit.key, atPeriodEnd: atPeriodEnd).json
    }
}

/// `plughost pda debits values`
struct PDADebitsValuesCommand: PDADebitCommand {
    static let configuration = CommandConfiguration(
        commandName: "values",
        abstract: "Prints the data that an active data debit gives.",
        discussion: "One object: \"conditions\" where there are some, and \"bundle\"."
    )

    @OptionGroup var debit: PDADebitOptions

    func call(_ client: PDAClient) async throws(PDAError) -> JSONValue {
        try await client.dataDebitValues(debit.key).json
    }
}

/// `plughost pda debits url`
struct PDADebitsURLCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "url",
        abstract: "Prints where the owner agrees to a data debit, in a browser.",
        discussion: "Nothing is sent, and no token is needed."
    )

    @Argument(help: ArgumentHelp("The data debit's key.", valueName: "key"))
    var key: String

    @Option(help: ArgumentHelp("The PDA, such as https://you.example.", valueName: "url"))
    var pda: String

    @Option(help: ArgumentHelp("Where the browser goes when the owner agreed.", valueName: "url"))
    var redirect: String

    @Option(help: ArgumentHelp("Where it goes when the owner declined.", valueName: "url"))
    var fallback: String?

    func run(in context: CommandContext) async throws -> ExitStatus {
        let address = try PDAOptions.address(of: pda)
        let client = PDAClient(pda: address.origin, tokens: InMemoryTokens(), transport: NoTransport())
        do throws(PDAError) {
            context.output.write(try client.approvalURL(of: key, redirect: redirect, fallback: fallback) + "\n")
        } catch { throw PDAErrorText.plugError(error) }
        return .done
    }
}

/// The proposal of a data debit, from a file.
private enum Proposal {
    /// Sends it, and prints the data debit as it is then.
    static func send(
        _ file: String,
        _ debit: PDADebitOptions,
        in context: CommandContext,
        _ call: (PDAClient, DataDebitCreationObject) async throws(PDAError) -> DataDebitObject
    ) async throws -> ExitStatus {
        let proposal = try read(file, debit.key)
        let made = try await debit.access.withClient(in: context) { client throws(PDAError) in
            try await call(client, try DataDebitCreationObject(json: proposal))
        }
        PDAAnswer(context: context, isJSON: debit.json).one(made.json)
        return .done
    }

    /// The object with the key of the command line, which is the one that counts for a PDA.
    private static func read(_ file: String, _ key: String) throws(PlugError) -> JSONValue {
        let value = try PDAInput.value(file)
        guard var object = value.object else {
            throw PlugError(
                "pda-input",
                exit: .data,
                "the proposal of a data debit is an object, not \(value.typeName)",
                advice: "give one JSON document, or one a line"
            )
        }
        object["dataDebitKey"] = .text(key)
        return .object(object)
    }
}
