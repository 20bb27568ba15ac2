internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore

/// `plughost application show`
struct ApplicationShowCommand: HostCommand {
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
        let members: [JSONObject.Member] = [
            ("application", definition), ("setup", no), ("enabled", no), ("active", no),
        ]
        ApplicationAnswer.tell(.object(JSONObject(members)), json, context)
        return .done
    }
}

/// `plughost application export`
struct ApplicationExportCommand: HostCommand {
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

/// JSON as an answer: for people, or one line for programs.
enum ApplicationAnswer {
    static func tell(_ value: JSONValue, _ isCompact: Bool, _ context: CommandContext) {
        let printer = PrettyJSON(isForTerminal: context.outputIsTerminal)
        context.output.write(printer.text(value, isCompact: isCompact) + "\n")
        context.output.flush()
    }
}
