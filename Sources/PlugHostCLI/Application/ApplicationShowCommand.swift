internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore

/// `plughost application show`
struct ApplicationShowCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Prints the HATApplicationObject that a PDA gives to apps before set-up.",
        discussion: """
            The definition under 'application', with setup, enabled and active set to
            false. --json prints it on one line.
            """
    )

    @OptionGroup var application: ApplicationOptions

    @Flag(help: "Print one line of JSON.")
    var json = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        let definition = try application.definition(in: context)
        let no = JSONValue.bool(false)
        let object = JSONValue.members(("application", definition), ("setup", no), ("enabled", no), ("active", no))
        ApplicationAnswer.tell(object, json, context)
        return .done
    }
}
