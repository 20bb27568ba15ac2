internal import ArgumentParser
internal import LosslessJSON

/// JSON as an answer: pretty-printed for people, or one line for programs.
enum ApplicationAnswer {
    static func tell(_ value: JSONValue, _ isCompact: Bool, _ context: CommandContext) {
        let printer = PrettyJSON(isForTerminal: context.outputIsTerminal)
        context.output.write(printer.text(value, isCompact: isCompact) + "\n")
        context.output.flush()
    }
}
