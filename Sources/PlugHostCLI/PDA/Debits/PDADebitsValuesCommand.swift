internal import ArgumentParser
internal import LosslessJSON
internal import PDAClient

/// `plughost pda debits values`
struct PDADebitsValuesCommand: PDADebitCommand, PDAObjectCommand {
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
