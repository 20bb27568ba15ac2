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
        discussion: "Prints a table on a terminal; otherwise, and with --json, one line of JSON each."
    )

    @OptionGroup var access: PDAAccess

    @Flag(help: "Print one line of JSON each.")
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
        discussion: "Prints text on a terminal; otherwise, and with --json, one line of JSON."
    )

    @OptionGroup var debit: PDADebitOptions

    func call(_ client: PDA) async throws(PDAError) -> JSONValue {
        try await client.dataDebit(debit.key).json
    }
}

/// `plughost pda debits create`
struct PDADebitsCreateCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Proposes a data debit, which the owner can accept or decline.",
        discussion: """
            The file holds the proposal in the PDA's own form (purpose, start, period in
            milliseconds, bundle, …); - is stdin. What a PDA would accept but ignore,
            such as 'find' without 'searchable', is rejected before anything is sent.
            'url' prints where the owner can agree.
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
        abstract: "Proposes a change; the agreed terms stay until the owner agrees.",
        discussion: """
            The file is as for 'create'. A changed bundle needs a new name: a PDA does
            not change a bundle that it already has.
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
        abstract: "Agrees to the latest proposal, as the owner.",
        discussion: "Prints the data debit afterwards."
    )

    @OptionGroup var debit: PDADebitOptions

    func call(_ client: PDA) async throws(PDAError) -> JSONValue {
        try await client.enableDataDebit(debit.key).json
    }
}

/// `plughost pda debits disable`
struct PDADebitsDisableCommand: PDADebitCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable",
        abstract: "Ends the agreement, as the owner: now, or after the current period.",
        discussion: "Prints the data debit afterwards."
    )

    @OptionGroup var debit: PDADebitOptions

    @Flag(help: "Let data flow until the current period ends.")
    var atPeriodEnd = false

    func call(_ client: PDA) async throws(PDAError) -> JSONValue {
        try await client.disableDataDebit(debit.key, atPeriodEnd: atPeriodEnd).json
    }
}

/// `plughost pda debits values`
struct PDADebitsValuesCommand: PDADebitCommand {
    static let configuration = CommandConfiguration(
        commandName: "values",
        abstract: "Prints the data of an active data debit.",
        discussion: "Prints one object: \"conditions\", if there are any, and \"bundle\"."
    )

    @OptionGroup var debit: PDADebitOptions

    func call(_ client: PDA) async throws(PDAError) -> JSONValue {
        try await client.dataDebitValues(debit.key).json
    }
}

/// `plughost pda debits url`
struct PDADebitsURLCommand: HostCommand {
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
        _ call: (PDA, DataDebitCreationObject) async throws(PDAError) -> DataDebitObject
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
                .pdaInput,
                "the proposal of a data debit is an object, not \(value.typeName)",
                advice: "give one JSON document, or one per line"
            )
        }
        object["dataDebitKey"] = .text(key)
        return .object(object)
    }
}
