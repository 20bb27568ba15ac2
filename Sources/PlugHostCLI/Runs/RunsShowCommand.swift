internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugRuntime
internal import PlugStorage

/// `plughost runs show`
struct RunsShowCommand: RunnableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows the report of a run, as 'run --json' printed it.",
        discussion: """
            One JSON object: the run's id, connection, plug_version, began, ended,
            outcome, error, and its report with the numbers and cursor of each stream.
            """
    )

    @Argument(help: ArgumentHelp("The number, as 'list' shows it.", valueName: "id"))
    var id: Int64

    @OptionGroup var state: StateFolderOption

    var speaksJSON: Bool { true }

    func run(in context: CommandContext) async throws -> ExitStatus {
        let run = try await state.withStoreToRead(context) { try await $0.run(id) }
        guard let run, var object = run.summary.object else {
            throw PlugError(
                .runUnknown,
                "there is no run \(id) here",
                advice: "'plughost runs list' shows the numbers; --state DIR names another state folder"
            )
        }
        object["report"] = (try? JSONValue(parsing: run.report)) ?? .null
        AnswerPrinter(context: context, isJSON: false).document(.object(object))
        return .done
    }
}
