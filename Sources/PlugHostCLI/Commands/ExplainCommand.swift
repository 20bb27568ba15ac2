internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore

/// `plughost explain`
struct ExplainCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explains the code of a finding or an error; without a code, lists them.",
        discussion: """
            Every error, warning and finding has a code in brackets, and so has a record
            that became a dead letter.

            Examples:
              plughost explain unknown-key
              plughost explain
            """
    )

    @Argument(help: "A code, such as unknown-key.")
    var code: String?

    @Flag(help: "One JSON object a line: code, kind, cause, example, fix, exit.")
    var json = false

    var speaksJSON: Bool { json }

    func run(in context: CommandContext) async throws -> ExitStatus {
        guard let code else {
            if json {
                Explanations.all.forEach { context.answer($0.json) }
            } else {
                context.output.write(Explanations.list)
            }
            return .done
        }
        let explanation = try Explanations.find(code)
        if json { context.answer(explanation.json) } else { context.output.write(explanation.text) }
        return .done
    }
}
