internal import ArgumentParser
internal import LosslessJSON
internal import PDAClient
internal import PlugCore

/// `plughost pda debits list`
struct PDADebitsListCommand: PDACallCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the data debits.",
        discussion: "Prints a table on a terminal; otherwise, and with --json, one line of JSON each."
    )

    @OptionGroup var access: PDAAccess

    @Flag(help: "Print one line of JSON each.")
    var json = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        let debits = try await access.withClient(in: context) { client throws(PDAError) in
            try await client.dataDebits()
        }
        return answers(in: context)
            .list(debits, ["key", "state", "client", "bundle"], limits: [40, 12, 30, 40]) { debit in
                let state = debit.isActive ? "active" : debit.isAccepted ? "accepted" : "proposed"
                return [
                    debit.dataDebitKey, state, debit.requestClientName, debit.permissionsLatest.bundle.name,
                ]
            }
    }
}
