internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore

/// `plughost application export`
struct ApplicationExportCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Prints only the Application, as a directory lists it.",
        discussion: "--json prints it on one line."
    )

    @OptionGroup var application: ApplicationOptions

    @Flag(help: "Print one line of JSON.")
    var json = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        let definition = try application.definition(in: context)
        ApplicationAnswer.tell(definition, json, context)
        return .done
    }
}
