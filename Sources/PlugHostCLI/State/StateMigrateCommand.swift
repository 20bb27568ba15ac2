internal import ArgumentParser
internal import LosslessJSON
internal import PlugCore
internal import PlugStorage

/// `plughost state migrate`
struct StateMigrateCommand: AnsweringCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Upgrades the state to this version's tables, as the first command that writes does.",
        usage: "plughost state migrate [--dry-run] [<options>]",
        discussion: """
            --dry-run says which changes would be made, how large the database is and
            roughly how long the changes would take; it changes nothing, and a host may
            keep running. Without it the changes are made, each of them in one transaction:
            stop the host first, and make a backup, as an older plughost cannot open the
            state afterwards.

            Examples:
              plughost state migrate --dry-run
              plughost backup before.db && plughost state migrate
            """
    )

    @Flag(help: "Say what would be done, and do nothing.")
    var dryRun = false

    @OptionGroup var state: StateOptions

    @Flag(help: "Print one JSON object: from, to, changes, bytes, room, seconds, done.")
    var json = false

    func run(in context: CommandContext) async throws -> ExitStatus {
        let folder = try state.existing(context)
        guard let plan = try await SQLiteStore.upgradePlan(of: folder) else {
            throw PlugError(
                .stateMissing,
                "there is no database in \(DisplayText.escaped(folder))",
                advice: "name the folder that 'plughost run --state DIR' wrote to"
            )
        }
        if !dryRun { try await state.withStoreToWrite(context) { _ in } }
        answers(in: context).one(plan.json(isDone: !dryRun), text: plan.text(isDone: !dryRun))
        return .done
    }
}

extension SchemaPlan {
    private var target: Int { changes.last?.version ?? version }

    fileprivate func json(isDone: Bool) -> JSONValue {
        .members(
            ("from", .integer(version)),
            ("to", .integer(target)),
            (
                "changes",
                .array(
                    changes.map {
                        .members(
                            ("version", .integer($0.version)),
                            ("what", .text($0.what)),
                            ("reads_all", .bool($0.readsAll))
                        )
                    }
                )
            ),
            ("bytes", .integer(bytes)),
            ("room", .integer(room)),
            ("seconds", .integer(seconds)),
            ("done", .bool(isDone))
        )
    }

    fileprivate func text(isDone: Bool) -> String {
        if changes.isEmpty { return "the state is of version \(version), which is this plughost's: nothing to do\n" }
        let lines = changes.map { change in
            "  \(change.version)  \(change.what)\(change.readsAll ? " (reads all rows)" : "")\n"
        }
        if isDone { return "brought from version \(version) to \(target)\n" + lines.joined() }
        return """
            would be brought from version \(version) to \(target)
            \(lines.joined())\
            the database has \(HumanSize.text(bytes)); it takes about \(seconds) s, and up to as much room again meanwhile

            """
    }
}
