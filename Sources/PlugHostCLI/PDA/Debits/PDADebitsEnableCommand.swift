internal import ArgumentParser
internal import LosslessJSON
internal import PDAClient

/// `plughost pda debits enable`
struct PDADebitsEnableCommand: PDADebitCommand, PDAObjectCommand {
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
