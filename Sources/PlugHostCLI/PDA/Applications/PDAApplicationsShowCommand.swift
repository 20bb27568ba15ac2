internal import ArgumentParser
internal import LosslessJSON
internal import PDAClient

/// `plughost pda applications show`
struct PDAApplicationsShowCommand: PDAApplicationCommand, PDAObjectCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Prints one application with its state.",
        discussion: "A PDA keeps the status for ten minutes; --fresh makes it check again."
    )

    @OptionGroup var application: PDAApplicationOptions

    @Flag(help: "Check the status again.")
    var fresh = false

    func call(_ client: PDA) async throws(PDAError) -> JSONValue {
        try await client.application(application.id, cached: !fresh).json
    }
}
