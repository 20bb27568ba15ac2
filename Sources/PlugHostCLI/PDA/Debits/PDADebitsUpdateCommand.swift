internal import ArgumentParser
internal import PDAClient
internal import PlugCore

/// `plughost pda debits update`
struct PDADebitsUpdateCommand: PDADebitCommand {
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

    func run(in context: CommandContext) async throws -> ExitStatus {
        try await PDADebitProposal.send(file, debit, in: context) { client, proposal throws(PDAError) in
            try await client.updateDataDebit(proposal)
        }
    }
}
