internal import ArgumentParser
internal import LosslessJSON
internal import PDAClient

/// `plughost pda applications disable`
struct PDAApplicationsDisableCommand: PDAApplicationCommand, PDAObjectCommand {
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
