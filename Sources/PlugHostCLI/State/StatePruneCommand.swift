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
            Removes old runs (the newest hundred of a connection stay, or what 'retention'
            of plughost.yaml keeps), expired notes about servers, and excessive counts of
            refusals. Runs do this for their own connection; use this command for
            connections that no longer run. Dead letters and the outbox are touched only if
            'retention' limits their age; records and cursors never.
            """
    )

    @OptionGroup var state: StateOptions

    @Flag(help: "Print one JSON object: runs, notes, refusals, dead_letters, batches.")
    var json = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        _ = try state.existing(context)
        let counts = try await state.withStoreToWrite(context) { try await $0.prune() }
        answers(in: context).one(
            .members(
                ("runs", .integer(counts.runs)),
                ("notes", .integer(counts.notes)),
                ("refusals", .integer(counts.refusals)),
                ("dead_letters", .integer(counts.deadLetters)),
                ("batches", .integer(counts.batches))
            ),
            text: "removed \(counts.text)\n"
        )
        return .done
    }
}

extension PruneCounts {
    /// `3 runs, 1 notes, 0 refusals`, and what only a retention setting removes, for people.
    var text: String {
        let more = [(deadLetters, "dead letters"), (batches, "batches that waited for their PDA")]
        return "\(runs) runs, \(notes) notes, \(refusals) refusals"
            + more.filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
    }
}
