internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore

/// `plughost explain`
struct ExplainCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explains the code of an error or finding; without a code, lists all.",
        discussion: """
            Every error, warning and finding shows a code in brackets. Dead letters have
            a code too.

            Examples:
              plughost explain unknown-key
              plughost explain
            """
    )

    @Argument(help: "A code, such as unknown-key.")
    var code: String?

    @Flag(help: "Print one JSON object per line: code, kind, cause, example, fix, exit.")
    var json = false

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
        answers(in: context).one(explanation.json, text: explanation.text)
        return .done
    }
}
