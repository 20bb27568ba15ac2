internal import ArgumentParser
internal import PDAClient
internal import PlugCore

/// `plughost pda debits create`
struct PDADebitsCreateCommand: PDADebitCommand {
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

    func run(in context: CommandContext) async throws -> ExitStatus {
        try await PDADebitProposal.send(file, debit, in: context) { client, proposal throws(PDAError) in
            try await client.createDataDebit(proposal)
        }
    }
}
