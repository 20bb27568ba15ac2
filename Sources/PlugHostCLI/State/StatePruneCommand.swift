internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugStorage

/// `plughost state prune`
struct StatePruneCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "prune",
        abstract: "Removes data that is no longer needed.",
        usage: "plughost state prune [<options>]",
        discussion: """
            Removes runs beyond the newest hundred of a connection, expired notes about
            servers, and excessive counts of refusals. Runs do this for their own
            connection; use this command for connections that no longer run. Records,
            cursors, dead letters and the outbox are not touched.
            """
    )

    @OptionGroup var state: StateOptions

    @Flag(help: "Print one JSON object: runs, notes, refusals.")
    var json = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        _ = try state.existing(context)
        let counts = try await state.withStoreToWrite(context) { try await $0.prune() }
        answers(in: context).one(
            .members(
                ("runs", .integer(counts.runs)),
                ("notes", .integer(counts.notes)),
                ("refusals", .integer(counts.refusals))
            ),
            text: "removed \(counts.runs) runs, \(counts.notes) notes, \(counts.refusals) refusals\n"
        )
        return .done
    }
}
