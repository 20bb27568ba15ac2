internal import ArgumentParser
internal import LosslessJSON
internal import PDAClient

/// `plughost pda applications setup`
struct PDAApplicationsSetUpCommand: PDAApplicationCommand, PDAObjectCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract: "Sets up an application, or sets it up again after an update.",
        discussion: """
            If the application receives data, this also agrees to its data debit. Prints
            the application afterwards.
            """
    )

    @OptionGroup var application: PDAApplicationOptions

    func call(_ client: PDA) async throws(PDAError) -> JSONValue {
        try await client.setUp(application: application.id).json
    }
}
