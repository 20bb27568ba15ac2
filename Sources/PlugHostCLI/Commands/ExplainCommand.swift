internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore

/// `plughost explain`
struct ExplainCommand: HostCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explains the code of a finding or an error; without a code, lists them.",
        discussion: """
            Examples:
              plughost explain unknown-key
              plughost explain
            """
    )

    @Argument(help: "A code, such as unknown-key.")
    var code: String?

    @Flag(help: "One JSON object a line: code, kind, cause, example, fix.")
    var json = false

    var speaksJSON: Bool { json }

    func run(in context: CommandContext) async throws -> ExitStatus {
        guard let code else {
            for explanation in Explanations.all { context.output.write(json ? "" : explanation.line) }
            if json { Explanations.all.forEach { context.answer($0.json) } }
            return .done
        }
        let explanation = try Explanations.find(code)
        if json { context.answer(explanation.json) } else { context.output.write(explanation.text) }
        return .done
    }
}
