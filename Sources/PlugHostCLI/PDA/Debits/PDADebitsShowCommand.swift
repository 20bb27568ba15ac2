internal import ArgumentParser
internal import LosslessJSON
internal import PDAClient

/// `plughost pda debits show`
struct PDADebitsShowCommand: PDADebitCommand, PDAObjectCommand {
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
