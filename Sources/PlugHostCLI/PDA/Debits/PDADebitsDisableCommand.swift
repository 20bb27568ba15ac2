internal import ArgumentParser
internal import LosslessJSON
internal import PDAClient

/// `plughost pda debits disable`
struct PDADebitsDisableCommand: PDADebitCommand, PDAObjectCommand {
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
